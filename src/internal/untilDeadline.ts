import { EMPTY, Observable, type MonoTypeOperatorFunction, type ObservableInput, from } from "rxjs";
import type { RunControl } from "../types/gate";

/**
 * Passes the source until the abort's grace is over; then lets go of it and continues with `fallback`.
 *
 * @remarks Subscribes the source before it looks at the deadline, so what runs after the deadline is still called and may
 * end synchronously (RxJS's `takeUntil` looks first).
 */
export function untilDeadline<T>(
  { deadline$ }: Pick<RunControl, "deadline$">,
  fallback: () => ObservableInput<T> = () => EMPTY,
): MonoTypeOperatorFunction<T> {
  return (source$) =>
    new Observable<T>((subscriber) => {
      const source = source$.subscribe({
        next: (value) => subscriber.next(value),
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      });
      subscriber.add(source);
      if (subscriber.closed) return;
      subscriber.add(
        deadline$.subscribe(() => {
          source.unsubscribe();
          from(fallback()).subscribe(subscriber);
        }),
      );
    });
}
