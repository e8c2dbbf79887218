import { Observable } from "rxjs";

/**
 * Emits once, when the run with this signal is aborted; its listener goes with the subscription.
 *
 * @remarks Not by `fromEvent`: what the runtime's chunk imports of RxJS weighs, also where the function is left out.
 */
export function whenAborted(signal: AbortSignal | undefined): Observable<unknown> {
  return new Observable<unknown>((subscriber) => {
    const abort = () => {
      subscriber.next(true);
      subscriber.complete();
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort);
    return () => signal?.removeEventListener("abort", abort);
  });
}
