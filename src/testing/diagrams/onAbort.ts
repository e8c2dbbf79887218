import { Observable, of } from "rxjs";

/** Emits once when the signal is aborted; at once when it is. */
export function onAbort(signal: AbortSignal | undefined): Observable<unknown> {
  if (signal?.aborted) return of(true);
  return new Observable((subscriber) => {
    const abort = () => {
      subscriber.next(true);
      subscriber.complete();
    };
    signal?.addEventListener("abort", abort);
    return () => signal?.removeEventListener("abort", abort);
  });
}
