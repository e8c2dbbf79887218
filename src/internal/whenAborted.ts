import { defer, fromEvent, NEVER, of, take, type Observable } from "rxjs";

/** Emits once, when the run with this signal is aborted; its listener goes with the subscription. */
export function whenAborted(signal: AbortSignal | undefined): Observable<unknown> {
  return defer(() => {
    if (!signal) return NEVER;
    return signal.aborted ? of<unknown>(true) : fromEvent(signal, "abort").pipe(take(1));
  });
}
