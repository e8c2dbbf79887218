import { defer, of, type Observable } from "rxjs";
import type { HookOutput } from "../types/hooks";
import { awaited } from "./awaited";

/**
 * Calls a hook on subscription, as an observable of what it gives.
 *
 * @remarks A plain value stays synchronous. An observable gives one value, or completes empty for `undefined`.
 */
export function fromHook<T>(name: string, call: () => HookOutput<T>): Observable<T> {
  return defer(() => {
    const output = call();
    return awaited(name, output) ?? of(output as T);
  });
}
