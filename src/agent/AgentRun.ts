import { AsyncSubject, catchError, EMPTY, ignoreElements, merge, Subject, type Observable } from "rxjs";
import { defaultStreamFn } from "../internal/defaultStreamFn";
import { errorText } from "../internal/errorText";
import { runControl } from "../internal/runControl";
import { runLoop } from "../loop/runLoop";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { AgentMessage } from "../types/messages";
import type { AgentSettings } from "../types/options";
import type { AgentStore } from "./AgentStore";
import { barrier } from "./barrier";
import { failRun } from "./failRun";
import { loopConfig } from "./loopConfig";

/** What a run of an agent begins with. */
export interface RunInput {
  /** Absent, the run continues from the transcript. */
  prompts?: AgentMessage[];
  /** The queue that the prompts were taken from. */
  promptsFrom?: "steering" | "followUp";
}

/** The agent that a run belongs to. */
export interface RunOwner {
  settings: AgentSettings;
  store: AgentStore;
  /** Called when the run has settled, before the state shows it. */
  release: () => void;
  /** Called when the state shows it. */
  settled: () => void;
}

/**
 * One run of an agent: subscribes the cold loop behind the barrier and keeps it alive, whoever watches.
 *
 * @remarks It fails once. A listener that fails while a failure is being told, or on `agent_end`, fails `settled$` instead.
 */
export class AgentRun {
  readonly control;
  /** Completes when the run has settled; fails with what a listener threw too late to be told. */
  readonly settled$ = new AsyncSubject<never>();
  /** Whoever had started it has unsubscribed, and it is winding down. */
  left = false;
  #settled = false;
  readonly #owner: RunOwner;
  readonly #gate: Gate;
  #prompts: readonly AgentMessage[] = [];
  #failing = false;
  #listenerFailed = false;
  #late: { error: unknown } | undefined;
  #calling = false;
  #blocked$: Subject<never> | undefined;

  constructor(owner: RunOwner) {
    const { events$ } = owner.store;
    this.#owner = owner;
    this.control = runControl(owner.settings.abortGraceMs);
    this.#gate = barrier({
      listeners: owner.store.listeners,
      signal: this.control.signal,
      reduce: (event) => this.#reduce(event),
      pass: (event) => {
        if (events$.observed) events$.next(event);
      },
      calling: () => (this.#calling = true),
      called: (isAwaited) => this.#called(isAwaited),
      onFailure: (error, event) => this.#onFailure(error, event),
    });
  }

  start({ prompts, promptsFrom }: RunInput): void {
    const { settings, store } = this.#owner;
    const { control } = this;
    const gate = this.#gate;
    const { messages, tools } = store.state;
    this.#prompts = prompts ?? [];
    store.streaming(true);
    runLoop({
      prompts,
      promptsFrom,
      context: { messages: prompts ? messages : [...messages], tools: [...tools] }, // prompts make a copy
      config: loopConfig(settings, store, control.signal, promptsFrom === "steering"),
      streamFn: settings.streamFunction ?? defaultStreamFn.get(),
      gate,
      control,
    })
      .pipe(catchError((error: unknown) => this.#fail(error)))
      .subscribe({
        error: (error: unknown) => this.#settle({ error }),
        complete: () => this.#settle(this.#late),
      });
  }

  /** Aborts the run for good, unless it has settled. */
  leave(): void {
    if (this.#settled) return;
    this.left = true;
    this.control.abort();
  }

  /** Completes when the run has settled. Called in a listener that is then awaited, it fails instead of never ending. */
  idle(): Observable<never> {
    const settled$ = this.settled$.pipe(catchError(() => EMPTY));
    if (!this.#calling) return settled$;
    this.#blocked$ ??= new Subject<never>();
    return merge(settled$, this.#blocked$.pipe(ignoreElements()));
  }

  #reduce(event: AgentEvent): void {
    if (
      (event.type === "message_start" || event.type === "message_end") &&
      event.message.role === "assistant"
    ) {
      if (event.message.stopReason === "error" && !this.#prompts.includes(event.message))
        this.#failing = true;
    }
    this.#owner.store.reduce(event);
  }

  #called(isAwaited: boolean): void {
    this.#calling = false;
    if (isAwaited) this.#blocked$?.error(new Error("waitForIdle() in an awaited listener never ends"));
    else this.#blocked$?.complete();
    this.#blocked$ = undefined;
  }

  #onFailure(error: unknown, event: AgentEvent): boolean {
    if (this.#failing || event.type === "agent_end") {
      this.#late ??= { error };
      return false;
    }
    this.#failing = this.#listenerFailed = true;
    this.control.abort(error);
    return true;
  }

  #fail(error: unknown): Observable<AgentEvent> {
    const { state } = this.#owner.store;
    const aborted = this.control.signal.aborted && !this.#listenerFailed;
    const open = state.streamingMessage?.role === "assistant" ? state.streamingMessage : undefined;
    this.#failing = true;
    return failRun({
      gate: this.#gate,
      model: state.model,
      stopReason: aborted ? "aborted" : "error",
      errorMessage: errorText(error),
      reason: aborted ? this.control.reason : undefined,
      open,
    });
  }

  #settle(failure: { error: unknown } | undefined): void {
    this.#settled = true;
    this.#owner.release();
    this.#owner.store.streaming(false);
    this.#owner.settled();
    if (failure) this.settled$.error(failure.error);
    else this.settled$.complete();
  }
}
