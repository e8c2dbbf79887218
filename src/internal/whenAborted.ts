import { Observable } from "rxjs";

/**
 * Emits once, when the run with this signal is aborted; its listener goes with the subscription.
 *
 * @remarks `fromEvent` never fires for a signal that is aborted already.
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
