import { defer, fromEvent, NEVER, of, take, type Observable } from "rxjs";

/** Emits once when `signal` is aborted, at once if it already is, never without a signal. */
export function whenAborted(signal: AbortSignal | undefined): Observable<unknown> {
  return defer(() => {
    if (signal === undefined) return NEVER;
    return signal.aborted ? of(true) : fromEvent(signal, "abort").pipe(take(1));
  });
}
