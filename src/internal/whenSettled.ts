import { isObservable, type Observer } from "rxjs";
import { isThenable } from "./isThenable";
import type { Failure } from "./steps";

/**
 * Calls back, once, when what a listener returned has settled; false, without a call, for a plain value.
 *
 * @remarks With `awaited` and `fromStream`, a door through which promises enter; without an observable, since it is used for every event.
 */
export function whenSettled(output: unknown, settle: (failure?: Failure) => void): boolean {
  let open = true;
  const end = (failure?: Failure) => {
    if (!open) return;
    open = false;
    settle(failure);
  };
  const complete = () => end();
  const error = (cause: unknown) => end({ error: cause });
  if (isThenable(output)) output.then(complete, error);
  else if (isObservable(output)) output.subscribe({ error, complete } as Partial<Observer<unknown>>);
  else return false;
  return true;
}
