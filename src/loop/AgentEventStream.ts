import { EventStream } from "@earendil-works/pi-ai";
import { AsyncSubject, firstValueFrom, of } from "rxjs";
import { withSignal } from "../internal/withSignal";
import type { AgentEvent } from "../types/event";
import type { RunControl } from "../types/gate";
import type { AgentMessage } from "../types/messages";
import type { AgentRunOptions } from "./AgentRunOptions";
import { preparedRun } from "./preparedRun";

/**
 * The events of a run as pi's event stream: `for await` reads them, `result()` gives the messages that the run added.
 *
 * @remarks The run starts at once. Leaving the iteration early aborts it. A failed run fails both the iteration and
 * `result()`; whichever is not used leaves no unhandled rejection.
 */
export class AgentEventStream extends EventStream<AgentEvent, AgentMessage[]> {
  readonly #result$ = new AsyncSubject<AgentMessage[]>();
  #control: RunControl | undefined;
  #failure: { error: unknown } | undefined;

  constructor(options: AgentRunOptions) {
    super(
      (event) => event.type === "agent_end",
      (event) => (event.type === "agent_end" ? event.messages : []),
    );
    const run = preparedRun(options);
    const { signal, config } = options;
    const events$ = withSignal((control) => run((this.#control = control)), {
      signal,
      abortGraceMs: config.abortGraceMs,
    });
    events$.subscribe({
      next: (event) => this.#take(event),
      error: (error: unknown) => this.#fail(error),
    });
  }

  #take(event: AgentEvent): void {
    this.push(event);
    if (event.type !== "agent_end") return;
    this.#result$.next(event.messages);
    this.#result$.complete();
    this.end();
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.#result$.error(error);
    this.end();
  }

  override result(): Promise<AgentMessage[]> {
    return firstValueFrom(this.#result$);
  }

  override [Symbol.asyncIterator](): AsyncIterableIterator<AgentEvent> {
    const events = super[Symbol.asyncIterator]();
    const iterator: AsyncIterableIterator<AgentEvent> = {
      next: () =>
        events.next().then((item) => {
          if (item.done && this.#failure) throw this.#failure.error;
          return item;
        }),
      return: (value?: unknown) => {
        if (!this.done) this.#control?.abort();
        return firstValueFrom(of({ done: true as const, value }));
      },
      [Symbol.asyncIterator]: () => iterator,
    };
    return iterator;
  }
}
