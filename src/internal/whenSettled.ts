import { from, isObservable, type ObservableInput } from "rxjs";
import { isThenable } from "./isThenable";

type Settled = (value?: unknown) => void;
type Failed = (error: unknown) => void;

function subscribe(output: ObservableInput<unknown>, settled: Settled, failed: Failed): void {
  let last: unknown;
  const next = (value: unknown) => (last = value);
  from(output).subscribe({ next, error: failed, complete: () => settled(last) });
}

/**
 * Calls one of the two when what was returned has settled, with its last value; at once for a plain value.
 *
 * @remarks With `awaited` and `fromStream`, a door through which promises enter. For a real promise no observable is made,
 * since listeners are asked for every event.
 */
export function whenSettled(output: unknown, settled: Settled, failed: Failed): void {
  if (output instanceof Promise) void output.then(settled, failed);
  else if (isObservable(output) || isThenable(output)) subscribe(output, settled, failed);
  else settled(output);
}
