import { defer, fromEvent, NEVER, of, take, type Observable } from "rxjs";
import type { ModelRequest } from "../types/hooks";

/** Emits once, when the request's run is aborted; its listener goes with the subscription. */
export function whenAborted({ options: { signal } }: ModelRequest): Observable<unknown> {
  return defer(() => {
    if (!signal) return NEVER;
    return signal.aborted ? of<unknown>(true) : fromEvent(signal, "abort").pipe(take(1));
  });
}
