import { getCurrentSystemMessage } from "@earendil-works/pi-ai";
import { Observable, of, Subject } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentListener, ReactiveAgentOptions } from "../types/options";
import type { AgentQueues, AgentSnapshot } from "../types/state";
import { createState, type WritableState } from "./createState";
import { MessageQueue } from "./MessageQueue";
import { PendingCalls } from "./PendingCalls";
import { reducer } from "./reducer";
import { Snapshots } from "./Snapshots";

/**
 * What an agent remembers, its state and its queues, and who follows it.
 *
 * @remarks Changes made while a snapshot is being shown are shown after it, so all observers see one order.
 */
export class AgentStore {
  readonly state: WritableState;
  readonly steering: MessageQueue;
  readonly followUp: MessageQueue;
  /** The current snapshot, then one per change. */
  readonly state$ = new Observable<AgentSnapshot>((subscriber) => {
    const current = this.#shown ?? this.#snapshot();
    if (this.#complete) return of(current).subscribe(subscriber);
    const joining = !this.#shown;
    // What the observer changes when it sees the current one is shown to it afterwards, as to the others.
    if (joining) this.#shown = current;
    const changes = (this.#changes$ ??= new Subject()).subscribe(subscriber);
    subscriber.next(current);
    if (joining) this.#show();
    return changes;
  });
  /** Told each event and awaited, in the order in which they joined. */
  readonly listeners = new Set<AgentListener>();
  /** Each event that has passed the barrier. */
  readonly events$ = new Subject<AgentEvent>();
  #changes$: Subject<AgentSnapshot> | undefined;
  readonly #calls = new PendingCalls();
  #snapshots: Snapshots | undefined;
  readonly #unseen: AgentSnapshot[] = [];
  #complete = false;
  #shown: AgentSnapshot | undefined;
  #queued: AgentQueues | undefined;

  constructor({ initialState = {}, steeringMode, followUpMode }: Partial<ReactiveAgentOptions>) {
    const changed = () => this.changed();
    const requeued = () => {
      this.#queued = undefined;
      changed();
    };
    this.state = createState(initialState, this.#calls, changed);
    this.steering = new MessageQueue(steeringMode ?? "one-at-a-time", requeued);
    this.followUp = new MessageQueue(followUpMode ?? "one-at-a-time", requeued);
  }

  /** Both queues; a new object after each change. */
  get queued(): AgentQueues {
    return (this.#queued ??= Object.freeze({
      steering: this.steering.messages,
      followUp: this.followUp.messages,
    }));
  }

  /** Takes over what an event changes. */
  reduce(event: AgentEvent): void {
    const change = reducer(event);
    if (!change) return;
    const { state } = this;
    if (change.streamingMessage !== undefined) {
      state.streamingMessage = change.streamingMessage ?? undefined;
      const update = event.type === "message_update" ? event.assistantMessageEvent : undefined;
      this.#snapshots?.streamed(update && "contentIndex" in update ? update.contentIndex : undefined);
    }
    if (change.committed) state.messages.push(change.committed);
    if (change.started !== undefined) this.#calls.start(change.started);
    if (change.ended !== undefined) this.#calls.end(change.ended);
    if (change.errorMessage !== undefined) state.errorMessage = change.errorMessage;
    this.changed();
  }

  /** A run starts, or has settled. */
  streaming(isStreaming: boolean): void {
    this.state.isStreaming = isStreaming;
    this.state.streamingMessage = undefined;
    if (isStreaming) this.state.errorMessage = undefined;
    else this.#calls.clear();
    this.changed();
  }

  /** Back to the prompt and the tools that the transcript declares, both queues empty. */
  reset(): void {
    const { state, steering, followUp } = this;
    const baseline = getCurrentSystemMessage(state.messages);
    steering.clear();
    followUp.clear();
    state.errorMessage = undefined;
    state.messages = baseline ? [baseline] : [];
    this.streaming(false);
  }

  /** Shows the state to whoever looks. */
  changed(): void {
    if (!this.#changes$?.observed) return;
    this.#unseen.push(this.#snapshot());
    if (!this.#shown) this.#show();
  }

  /** Nothing more will come. */
  complete(): void {
    this.#complete = true;
    this.events$.complete();
    this.#changes$?.complete();
  }

  #show(): void {
    while ((this.#shown = this.#unseen.shift())) this.#changes$?.next(this.#shown);
  }

  #snapshot(): AgentSnapshot {
    return (this.#snapshots ??= new Snapshots()).take(this.state, this.queued);
  }
}
