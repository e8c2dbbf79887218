import type { ImageContent } from "@earendil-works/pi-ai";
import { EMPTY, lastValueFrom, noop, type Observable } from "rxjs";
import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";
import type { AgentEvent } from "../types/event";
import type { AgentMessage, QueueMode } from "../types/messages";
import type { AgentListener, ReactiveAgentOptions, AgentSettings } from "../types/options";
import type { AgentQueues, AgentSnapshot, AgentState } from "../types/state";
import { AgentRun, type RunInput } from "./AgentRun";
import { AgentStore } from "./AgentStore";
import { continuation } from "./continuation";
import { observeRun } from "./observeRun";
import { QUEUE_MODES } from "./QUEUE_MODES";
import { promptMessages, type PromptInput } from "./promptMessages";
import { settingsOf } from "./settingsOf";

const BUSY =
  "Agent is already processing a prompt. Use steer() or followUp() to queue messages, or wait for completion.";

const BUSY_TO_CONTINUE = "Agent is already processing. Wait for completion before continuing.";

/** The settable options, see {@link AgentSettings}. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the constructor assigns every one of them
export interface Agent extends AgentSettings {}

/**
 * A stateful agent: keeps the transcript, runs turns, and tells all it does as one hot stream of events.
 *
 * @remarks It subscribes the cold loop itself. Listeners are its barrier: they are awaited, in the order in which they were
 * subscribed, before what an event announces happens. Observers of `events$` are never awaited.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- see above
export class Agent implements Disposable {
  /** Every event, once it has passed the barrier. Never fails; completes when the agent is disposed. */
  readonly events$: Observable<AgentEvent>;
  /** An immutable snapshot of the state at once, then one per change. Completes when the agent is disposed. */
  readonly state$: Observable<AgentSnapshot>;
  readonly #store: AgentStore;
  #run: AgentRun | undefined;
  #disposed = false;

  /** @throws TypeError when an option is not what it should be, named */
  constructor(options: ReactiveAgentOptions) {
    const given = options ?? {};
    Object.assign(this, settingsOf(given));
    this.#store = new AgentStore(given);
    this.events$ = this.#store.events$.asObservable();
    this.state$ = this.#store.state$;
  }

  /** The live state. */
  get state(): AgentState {
    return this.#store.state;
  }

  /** The signal of the current run. */
  get signal(): AbortSignal | undefined {
    return this.#run?.control.signal;
  }

  /** How many steering messages a turn takes. */
  get steeringMode(): QueueMode {
    return this.#store.steering.mode;
  }
  set steeringMode(mode: QueueMode) {
    check.oneOf("steeringMode", mode, QUEUE_MODES);
    this.#store.steering.mode = mode;
  }

  /** How many follow-up messages a turn takes. */
  get followUpMode(): QueueMode {
    return this.#store.followUp.mode;
  }
  set followUpMode(mode: QueueMode) {
    check.oneOf("followUpMode", mode, QUEUE_MODES);
    this.#store.followUp.mode = mode;
  }

  /** Both queues. */
  get queued(): AgentQueues {
    return this.#store.queued;
  }

  /**
   * Adds a listener; gives the function that removes it.
   *
   * @remarks What it returns is awaited before the next event. If it fails, the others still see every event, and the run
   * ends as failed.
   */
  subscribe(listener: AgentListener): () => void {
    check.function("listener", listener);
    const { listeners } = this.#store;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Queues a message for the next turn: after the tools of this one, before the next request. */
  steer(message: AgentMessage): void {
    check.message("steer", message);
    this.#store.steering.add(message);
  }

  /** Queues a message for when the run would stop. */
  followUp(message: AgentMessage): void {
    check.message("followUp", message);
    this.#store.followUp.add(message);
  }

  /** Takes one queued message back, by identity; says whether it was still there. */
  dequeue(message: AgentMessage): boolean {
    return this.#store.steering.remove(message) || this.#store.followUp.remove(message);
  }

  /** Drops all queued steering messages; those already taken for a turn are on their way. */
  clearSteeringQueue(): void {
    this.#store.steering.clear();
  }

  /** Drops all queued follow-up messages; those already taken for a turn are on their way. */
  clearFollowUpQueue(): void {
    this.#store.followUp.clear();
  }

  /** Drops both queues. */
  clearAllQueues(): void {
    this.clearSteeringQueue();
    this.clearFollowUpQueue();
  }

  /** Whether a message waits in either queue. */
  hasQueuedMessages(): boolean {
    return this.peekQueuedMessages().length > 0;
  }

  /** What the next turn would take; takes nothing. */
  peekQueuedMessages(): AgentMessage[] {
    const steering = this.#store.steering.peek();
    return steering.length > 0 ? steering : this.#store.followUp.peek();
  }

  /**
   * Aborts the current run, if there is one.
   *
   * @param reason - Stands in `agent_end.reason`.
   * @remarks Provider, tools and hooks have `abortGraceMs` to end by themselves; then the run goes on without them.
   */
  abort(reason?: unknown): void {
    this.#run?.control.abort(reason);
  }

  /** Resolves when the current run has settled, its `agent_end` listeners included. */
  waitForIdle(): Promise<void> {
    const idle = lastValueFrom(this.#run?.idle() ?? EMPTY, { defaultValue: undefined });
    idle.catch(noop);
    return idle;
  }

  /** Empties transcript and queues, but for the prompt and the tools that the transcript declares. */
  reset(): void {
    if (this.#run) throw new Error("Agent is already processing. Wait for completion before resetting.");
    this.#store.reset();
  }

  /** Starts a run with text (and images), a message or several. Resolves when it has settled. */
  prompt(message: AgentMessage | AgentMessage[]): Promise<void>;
  prompt(input: string, images?: ImageContent[]): Promise<void>;
  prompt(input: PromptInput, images?: ImageContent[]): Promise<void> {
    return this.#settled(BUSY, () => ({ prompts: promptMessages(input, images) }));
  }

  /** Starts a run from the transcript as it is, or from queued messages when it ends with an answer. */
  continue(): Promise<void> {
    return this.#settled(BUSY_TO_CONTINUE, () => continuation(this.#store));
  }

  /** {@link prompt} as a cold observable of the run's events; unsubscribing aborts the run. */
  prompt$(input: PromptInput, images?: ImageContent[]): Observable<AgentEvent> {
    return this.#observe(this.events$, BUSY, () => ({ prompts: promptMessages(input, images) }));
  }

  /** {@link continue} as a cold observable of the run's events; unsubscribing aborts the run. */
  continue$(): Observable<AgentEvent> {
    return this.#observe(this.events$, BUSY_TO_CONTINUE, () => continuation(this.#store));
  }

  /** Aborts the current run; `events$` and `state$` complete when it has settled. */
  dispose(): void {
    this.#disposed = true;
    this.abort();
    if (!this.#run) this.#store.complete();
  }

  /** {@link dispose}, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #observe(events$: Observable<AgentEvent>, busy: string, prepare: () => RunInput): Observable<AgentEvent> {
    const begin = () => {
      if (this.#disposed) throw new Error("Agent is disposed");
      checkSettings(this);
      if (this.#run) throw new Error(busy);
      const input = prepare();
      this.#run = new AgentRun({
        settings: this,
        store: this.#store,
        release: () => (this.#run = undefined),
        settled: () => this.#disposed && this.#store.complete(),
      });
      return { run: this.#run, input };
    };
    return observeRun(events$, () => this.#run, begin);
  }

  async #settled(busy: string, prepare: () => RunInput): Promise<void> {
    await lastValueFrom(this.#observe(EMPTY, busy, prepare), { defaultValue: undefined });
  }
}
