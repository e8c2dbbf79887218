import type { Observable } from "rxjs";
import type { AgentEvent } from "./event";

/**
 * The operator that every event of a run passes before anything it announces happens.
 *
 * @remarks The bare loop uses `identity`. An Agent's gate is its barrier: reduce the state, tell the listeners and await
 * them, pass on. All streams of a run share one gate, so events of concurrent tools keep one order.
 */
export interface Gate {
  (events$: Observable<AgentEvent>): Observable<AgentEvent>;
  /** Whether someone is awaited; if so, `onFree` is called when the gate is free. A source that can wait asks before it pulls more. */
  readonly busy?: (onFree: () => void) => boolean;
  /**
   * One event alone: passed to `emit` at once, or, when someone is waited for, before what it gives completes. A failure is
   * told to `onFailure`, if there is one, before any other event passes; else it is thrown, or fails what it gives.
   */
  readonly tell?: (
    event: AgentEvent,
    emit: (event: AgentEvent) => void,
    onFailure?: (error: unknown) => void,
  ) => Observable<never> | undefined;
}

/**
 * The two faces of a run's end, joined: its signal, and the time that is left after an abort.
 *
 * @remarks Made by `runControl`; stages take it as a dependency.
 */
export interface RunControl {
  /** Given to hooks, tools and the provider. */
  readonly signal: AbortSignal;
  /** What `abort()` was given. */
  reason?: unknown;
  /** Emits once, `abortGraceMs` after the abort; at once when that has passed. */
  readonly deadline$: Observable<unknown>;
  /** `deadline$` as a callback, for what happens once a call; gives the function that takes it back. */
  onDeadline(call: () => void): () => void;
  /** Aborts the run; the first reason counts. */
  abort(reason?: unknown): void;
}
