import { Subscription, type Observable } from "rxjs";
import type { AgentMessage } from "../../types/messages";
import type { AgentQueues, AgentSnapshot } from "../../types/state";
import type { QueueFact } from "../Recording";

/** Whose queues can be followed; an `Agent`'s can. */
export interface QueueingAgent {
  readonly state$: Observable<AgentSnapshot>;
  readonly queued: AgentQueues;
}

type Queue = keyof AgentQueues;
type Method = (...args: unknown[]) => unknown;

/** What users take messages back with, and of which queues. */
const TAKING_BACK: Record<string, readonly Queue[]> = {
  dequeue: ["steering", "followUp"],
  clearSteeringQueue: ["steering"],
  clearFollowUpQueue: ["followUp"],
  clearAllQueues: ["steering", "followUp"],
  reset: ["steering", "followUp"],
};

/**
 * Follows the queues of an agent, by the identity of messages: a message has a number from when it is queued.
 *
 * @remarks Wraps the methods with which a user queues messages and takes them back, until it is unsubscribed. A message that
 * is queued again before it was delivered is no longer followed: nobody can tell its places apart.
 */
export class QueueWatch extends Subscription {
  readonly #numbers = new WeakMap<AgentMessage, number>();
  readonly #undelivered = new Map<number, Queue>();
  readonly #ignored = new WeakSet<AgentMessage>();
  #count = 0;
  #queued: AgentQueues | undefined;

  constructor(
    private readonly agent: QueueingAgent,
    private readonly tell: (fact: QueueFact) => void,
  ) {
    super();
    this.add(agent.state$.subscribe(() => this.#look()));
    for (const name of ["steer", "followUp"])
      this.#wrap(name, (call, message) => {
        this.#queuing(message as AgentMessage);
        return call();
      });
    for (const [name, queues] of Object.entries(TAKING_BACK))
      this.#wrap(name, (call, message) => {
        const output = call();
        this.#look();
        if (name !== "dequeue") this.#takenBack((number, queue) => queues.includes(queue));
        else if (output) this.#takenBack((number) => number === this.#numbers.get(message as AgentMessage));
        return output;
      });
  }

  /** Told of each message that was committed. */
  committed(message: AgentMessage): void {
    this.#look();
    const number = this.#numbers.get(message);
    if (number === undefined) return;
    this.#undelivered.delete(number);
    this.tell({ kind: "delivered", message: number });
  }

  #look(): void {
    const { queued } = this.agent;
    if (queued === this.#queued) return;
    const isFirst = this.#queued === undefined;
    this.#queued = queued;
    const all = [...queued.steering, ...queued.followUp];
    if (isFirst && all.length === 0) return;
    for (const message of all)
      if (all.indexOf(message) !== all.lastIndexOf(message)) this.#ignored.add(message);
    this.tell({ kind: "queued", steering: this.#numbered("steering"), followUp: this.#numbered("followUp") });
  }

  #numbered(queue: Queue): number[] {
    const followed = (this.#queued?.[queue] ?? []).filter((message) => !this.#ignored.has(message));
    return followed.map((message) => {
      const known = this.#numbers.get(message);
      if (known !== undefined) return known;
      const number = ++this.#count;
      this.#numbers.set(message, number);
      this.#undelivered.set(number, queue);
      return number;
    });
  }

  #queuing(message: AgentMessage): void {
    const number = this.#numbers.get(message);
    if (number === undefined) return;
    this.#numbers.delete(message);
    if (!this.#undelivered.delete(number)) return;
    this.#ignored.add(message);
    this.tell({ kind: "takenBack", messages: [number] });
  }

  // What a user takes back is not lost; a clear is also for what a run has taken and not delivered.
  #takenBack(isMeant: (number: number, queue: Queue) => boolean): void {
    const waiting = new Set([...this.#numbered("steering"), ...this.#numbered("followUp")]);
    const messages = [...this.#undelivered]
      .filter(([number, queue]) => isMeant(number, queue) && !waiting.has(number))
      .map(([number]) => number);
    for (const number of messages) this.#undelivered.delete(number);
    if (messages.length > 0) this.tell({ kind: "takenBack", messages });
  }

  #wrap(name: string, around: (call: () => unknown, first: unknown) => unknown): void {
    const methods = this.agent as unknown as Record<string, Method | undefined>;
    const method = methods[name];
    if (typeof method !== "function") return;
    const isOwn = Object.hasOwn(methods, name);
    const wrapped: Method = (...args) => {
      const call = () => method.apply(this.agent, args);
      return this.closed ? call() : around(call, args[0]);
    };
    methods[name] = wrapped;
    this.add(() => {
      if (methods[name] !== wrapped) return;
      if (isOwn) methods[name] = method;
      else delete methods[name];
    });
  }
}
