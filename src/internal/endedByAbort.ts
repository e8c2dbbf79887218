import { catchError, EMPTY, throwError, type MonoTypeOperatorFunction } from "rxjs";
import type { RunControl } from "../types/gate";

/** Takes an error after an abort for an end: who honours a signal by throwing has ended. */
export function endedByAbort<T>({ signal }: Pick<RunControl, "signal">): MonoTypeOperatorFunction<T> {
  return catchError((error: unknown) => (signal.aborted ? EMPTY : throwError(() => error)));
}
