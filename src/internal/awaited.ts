import { from, isObservable, type Observable } from "rxjs";
import type { HookOutput } from "../types/hooks";
import { isThenable } from "./isThenable";
import { oneValue } from "./oneValue";

/**
 * The observable of what a hook's output brings later; undefined for a plain value.
 *
 * @remarks With `fromStream`, a door through which promises enter.
 */
export function awaited<T>(name: string, output: HookOutput<T>): Observable<T> | undefined {
  if (isObservable(output)) return output.pipe(oneValue<T>(name, true));
  return isThenable(output) ? from(output) : undefined;
}
