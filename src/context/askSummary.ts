import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import { normalizeContext } from "@earendil-works/pi-ai";
import {
  asyncScheduler,
  concatMap,
  defer,
  from,
  isObservable,
  map,
  takeLast,
  takeWhile,
  throwIfEmpty,
  type Observable,
} from "rxjs";
import { expected } from "../internal/expected";
import { fromStream } from "../internal/fromStream";
import { isAsyncIterable } from "../internal/isAsyncIterable";
import { isThenable } from "../internal/isThenable";
import { withSignal } from "../internal/withSignal";
import type { ReactiveStreamFn } from "../types/hooks";

/** Who is asked, and for what. */
export interface AskSummaryOptions {
  streamFn: ReactiveStreamFn;
  model: Model<Api>;
  /** What a summary holds, for the one who writes it. */
  instructions: string;
  /** What is summarized. */
  text: string;
  options?: SimpleStreamOptions;
}

const isLast = ({ type }: AssistantMessageEvent) => type === "done" || type === "error";

function eventsOf(output: unknown): Observable<AssistantMessageEvent> {
  if (isThenable(output)) return from(output).pipe(concatMap(eventsOf));
  if (isObservable(output)) return output as Observable<AssistantMessageEvent>;
  if (isAsyncIterable(output)) return fromStream(output as AsyncIterable<AssistantMessageEvent>);
  throw expected("streamFn", "an event stream, an async iterable or an observable", output);
}

function textOf({ content }: AssistantMessage): string {
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (text.trim() === "") throw new Error("the summary is empty");
  return text.trim();
}

function summaryOf(event: AssistantMessageEvent): string {
  if (event.type === "error") throw new Error(event.error.errorMessage ?? "the summary failed");
  if (event.type === "done") return textOf(event.message);
  throw new Error("the summary ended too early");
}

/**
 * Asks a model for a summary, on subscription.
 *
 * @remarks Unsubscribing aborts the request through its signal. Anything but a text is an error.
 */
export function askSummary(request: AskSummaryOptions): Observable<string> {
  const { streamFn, model, instructions, text, options } = request;
  return defer(() => {
    const message = { role: "user" as const, content: text, timestamp: asyncScheduler.now() };
    const context = normalizeContext({ systemPrompt: instructions, messages: [message] });
    return withSignal(
      ({ signal }) =>
        defer(() => eventsOf(streamFn(model, context, { ...options, signal }))).pipe(
          takeWhile((event) => !isLast(event), true),
        ),
      { signal: options?.signal, isLast },
    );
  }).pipe(
    takeLast(1),
    throwIfEmpty(() => new Error("the summary ended too early")),
    map(summaryOf),
  );
}
