import { noop, Observable } from "rxjs";
import type { Gate, RunControl } from "../types/gate";

function leave(iterator: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(noop);
  } catch {
    // It was told, and has nothing more to say.
  }
}

/** How {@link fromStream} reads. */
export interface FromStreamOptions<T> {
  /** While it is busy nothing is pulled, so a slow listener pauses the source. */
  gate?: Pick<Gate, "busy">;
  /** The stream is left when the grace after an abort is over. */
  control?: Pick<RunControl, "onDeadline">;
  /** The stream is left at this item, which is not passed on. */
  isEnd?: (item: T) => boolean;
}

/**
 * Reads an async iterable by pulling: one of the doors through which promises enter.
 *
 * @remarks Unsubscribing tells the iterator to return; one that stalls is left behind (RxJS's own `from` does neither).
 */
export function fromStream<T>(
  stream: AsyncIterable<T>,
  { gate, control, isEnd }: FromStreamOptions<T> = {},
): Observable<T> {
  return new Observable<T>((subscriber) => {
    const iterator = stream[Symbol.asyncIterator]();
    const complete = () => subscriber.complete();
    let open = true;
    const fail = (error: unknown) => {
      open = false;
      subscriber.error(error);
    };
    const pull = () => {
      if (subscriber.closed) return;
      try {
        iterator.next().then(take, fail);
      } catch (error) {
        fail(error);
      }
    };
    const take = ({ value, done }: IteratorResult<T>) => {
      if (subscriber.closed) return;
      if (done) open = false;
      if (done || isEnd?.(value)) return complete();
      subscriber.next(value);
      if (!gate?.busy?.(pull)) pull();
    };
    subscriber.add(() => {
      if (open) leave(iterator);
    });
    pull();
    if (control && !subscriber.closed) subscriber.add(control.onDeadline(complete));
  });
}
