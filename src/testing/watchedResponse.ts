import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { isObservable, tap } from "rxjs";
import { isAsyncIterable } from "../internal/isAsyncIterable";
import { isThenable } from "../internal/isThenable";
import type { ReactiveStreamFn } from "../types/hooks";

type Output = ReturnType<ReactiveStreamFn>;
type Events = AsyncIterable<AssistantMessageEvent> & { result?: () => Promise<AssistantMessage> };

/** Told of a response what it says, and how it ends when it does so without a terminal event. */
export interface ResponseSpy {
  next(event: AssistantMessageEvent): void;
  error(error: unknown): void;
  complete(): void;
}

function terminalOf(message: AssistantMessage): AssistantMessageEvent {
  const { stopReason } = message;
  return stopReason === "error" || stopReason === "aborted"
    ? { type: "error", reason: stopReason, error: message }
    : ({ type: "done", reason: stopReason, message } as AssistantMessageEvent);
}

function watchedEvents(stream: Events, spy: ResponseSpy): Events {
  const failed = (error: unknown): never => {
    spy.error(error);
    throw error;
  };
  const read = (iterator: AsyncIterator<AssistantMessageEvent>): AsyncIterator<AssistantMessageEvent> => ({
    next: () =>
      iterator.next().then((item) => {
        if (!item.done) spy.next(item.value);
        else if (!stream.result) spy.complete();
        return item;
      }, failed),
    return: (value?: unknown) => iterator.return?.(value) ?? Promise.resolve({ done: true, value }),
  });
  const result = () =>
    stream.result!().then((message) => {
      spy.next(terminalOf(message));
      return message;
    });
  const watched: Events = { [Symbol.asyncIterator]: () => read(stream[Symbol.asyncIterator]()) };
  return stream.result ? Object.assign(watched, { result }) : watched;
}

/** What a `streamFn` gave, of the same kind, with a spy on it. */
export function watchedResponse(output: Output, spy: ResponseSpy): Output {
  if (isObservable(output)) return output.pipe(tap(spy));
  if (isThenable(output))
    return output.then(
      (stream) => watchedResponse(stream, spy) as Exclude<Output, PromiseLike<unknown>>,
      (error: unknown) => {
        spy.error(error);
        throw error;
      },
    );
  return isAsyncIterable(output) ? watchedEvents(output as Events, spy) : output;
}
