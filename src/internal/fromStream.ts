import { Observable } from "rxjs";
import type { Gate } from "../types/gate";

const ignore = () => {};

function leave(iterator: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(ignore);
  } catch {
    // It was told, and has nothing more to say.
  }
}

/**
 * Reads an async iterable by pulling: one of the two doors through which promises enter.
 *
 * @remarks The next item is pulled when the gate is free, so a slow listener pauses the source. Unsubscribing tells the
 * iterator to return; one that stalls is left behind (RxJS's own `from` does neither).
 */
export function fromStream<T>(stream: AsyncIterable<T>, gate?: Pick<Gate, "busy">): Observable<T> {
  return new Observable<T>((subscriber) => {
    const iterator = stream[Symbol.asyncIterator]();
    let open = true;
    const fail = (error: unknown) => {
      open = false;
      subscriber.error(error);
    };
    const pull = () => {
      try {
        iterator.next().then(take, fail);
      } catch (error) {
        fail(error);
      }
    };
    const take = (item: IteratorResult<T>) => {
      if (subscriber.closed) return;
      if (item.done) {
        open = false;
        return subscriber.complete();
      }
      subscriber.next(item.value);
      if (subscriber.closed) return;
      const busy$ = gate?.busy?.();
      if (busy$) subscriber.add(busy$.subscribe({ complete: pull }));
      else pull();
    };
    pull();
    return () => {
      if (open) leave(iterator);
    };
  });
}
