import { defer, from, isObservable, of, type Observable } from "rxjs";
import type { HookOutput } from "../types/hooks";
import { isThenable } from "./isThenable";
import { oneValue } from "./oneValue";

/**
 * Calls a hook on subscription: one of the two doors through which promises enter.
 *
 * @remarks A plain value stays synchronous. An observable gives one value, or completes empty for `undefined`.
 */
export function fromHook<T>(name: string, call: () => HookOutput<T>): Observable<T> {
  return defer(() => {
    const output = call();
    if (isObservable(output)) return output.pipe(oneValue<T>(name, true));
    return isThenable(output) ? from(output) : of(output);
  });
}
