import { takeWhile, type MonoTypeOperatorFunction } from "rxjs";
import type { RunControl } from "../types/gate";

/** Lets values through until the signal is aborted, then completes: what comes next is not begun. */
export function unlessAborted<T>({ signal }: Pick<RunControl, "signal">): MonoTypeOperatorFunction<T> {
  return takeWhile(() => !signal.aborted);
}
