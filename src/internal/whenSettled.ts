import { isObservable, type Observable } from "rxjs";
import { isThenable } from "./isThenable";
import type { Failure } from "./steps";

function wait(output: PromiseLike<unknown> | Observable<unknown>, settle: (failure?: Failure) => void): void {
  let open = true;
  const end = (failure?: Failure) => {
    if (open) {
      open = false;
      settle(failure);
    }
  };
  const complete = () => end();
  const error = (cause: unknown) => end({ error: cause });
  if (isObservable(output)) output.subscribe({ error, complete });
  else void output.then(complete, error);
}

/**
 * Calls back, once, when what a listener returned has settled; false, without a call, for a plain value.
 *
 * @remarks With `awaited` and `fromStream`, a door through which promises enter. No observable is made, since it is asked for
 * every event.
 */
export function whenSettled(output: unknown, settle: (failure?: Failure) => void): boolean {
  const isAwaited = isThenable(output) || isObservable(output);
  if (isAwaited) wait(output, settle);
  return isAwaited;
}
