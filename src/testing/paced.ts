import { Observable, timer } from "rxjs";

/** How {@link paced} reads its steps, and what an abort ends it with. */
export interface PacedOptions<T> {
  /** Values, and numbers of ms to wait; `Infinity` is a stall. */
  steps: () => Iterator<T | number>;
  signal?: AbortSignal;
  aborted?: () => T;
}

/**
 * Emits the values among the steps and waits out the numbers, without a promise; 0 is no wait at all.
 *
 * @remarks An abort ends it at once with `aborted()`, the way a provider ends that heard the signal.
 */
export function paced<T extends object>({ steps, signal, aborted }: PacedOptions<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const iterator = steps();
    const pull = () => {
      try {
        while (!subscriber.closed) {
          const step = iterator.next();
          if (step.done) return subscriber.complete();
          if (typeof step.value !== "number") subscriber.next(step.value);
          else if (step.value === Infinity) return;
          else if (step.value > 0) return void subscriber.add(timer(step.value).subscribe(pull));
        }
      } catch (error) {
        subscriber.error(error);
      }
    };
    const abort = () => {
      if (aborted) subscriber.next(aborted());
      subscriber.complete();
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    subscriber.add(() => signal?.removeEventListener("abort", abort));
    pull();
  });
}
