import { from, type Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import { toReadableStream, type BufferOptions, type ListenedTo } from "./toReadableStream";

/**
 * An observable, or an agent itself, for `for await`. Each iteration subscribes anew; leaving it early unsubscribes.
 *
 * @remarks What the loop has not taken yet is kept, `bufferSize` values at most; see {@link BufferOptions} for what happens to
 * more. An agent waits for a slow loop instead; its loop goes on over many runs, and leaving it lets the agent go on. An error of
 * the observable is thrown in the loop.
 * @example
 * ```ts
 * for await (const event of toAsyncIterable(agent.prompt$("Hello"))) {
 *   console.log(event.type);
 * }
 * ```
 */
export function toAsyncIterable(
  agent: ListenedTo,
  options?: Pick<BufferOptions, "bufferSize">,
): AsyncIterable<AgentEvent>;
export function toAsyncIterable<T>(source$: Observable<T>, options?: BufferOptions): AsyncIterable<T>;
export function toAsyncIterable(
  source: Observable<unknown> | ListenedTo,
  options?: BufferOptions,
): AsyncIterable<unknown> {
  return {
    [Symbol.asyncIterator]: () => {
      const reader = toReadableStream(source as Observable<unknown>, options).getReader();
      const next = () => reader.read() as ReturnType<AsyncIterator<unknown>["next"]>;
      return {
        next,
        // Read once more, a cancelled stream says that it is done.
        return: () => {
          from(reader.cancel()).subscribe({ error: () => {} });
          return next();
        },
      };
    },
  };
}
