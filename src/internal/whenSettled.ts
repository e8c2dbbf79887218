import { from, isObservable } from "rxjs";
import { isThenable } from "./isThenable";

/**
 * Calls one of the two when what a listener returned has settled; false, without a call, for a plain value.
 *
 * @remarks With `awaited` and `fromStream`, a door through which promises enter. For a promise of its own no observable is
 * made, since it is asked for every event.
 */
export function whenSettled(output: unknown, settled: () => void, failed: (error: unknown) => void): boolean {
  if (output instanceof Promise) void output.then(settled, failed);
  else if (isObservable(output) || isThenable(output))
    from(output).subscribe({ error: failed, complete: settled });
  else return false;
  return true;
}
