import { from, type Observable } from "rxjs";
import { toReadableStream, type BufferOptions } from "./toReadableStream";

/**
 * An observable for `for await`. Each iteration subscribes anew; leaving it early unsubscribes.
 *
 * @remarks What the loop has not taken yet is kept, `bufferSize` values at most; see {@link BufferOptions} for what happens to
 * more. An error of the observable is thrown in the loop.
 * @example
 * ```ts
 * for await (const event of toAsyncIterable(agent.prompt$("Hello"))) {
 *   console.log(event.type);
 * }
 * ```
 */
export function toAsyncIterable<T>(source$: Observable<T>, options?: BufferOptions): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const reader = toReadableStream(source$, options).getReader();
      const next = () => reader.read() as ReturnType<AsyncIterator<T>["next"]>;
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
