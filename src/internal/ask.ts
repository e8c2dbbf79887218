import { ignoreElements, race, tap } from "rxjs";
import type { RunControl } from "../types/gate";
import type { HookOutput } from "../types/hooks";
import { awaited } from "./awaited";
import type { Steps } from "./steps";

/**
 * Calls a hook; what it gives is taken, a plain value at once.
 *
 * @remarks With a deadline, one that outlasts the grace after an abort is left, its value not taken. With a signal, an error
 * after the abort is an end: who honours a signal by throwing has ended.
 */
export function* ask<T>(
  name: string,
  call: () => HookOutput<T>,
  take: (value: T) => void,
  { signal, deadline$ }: Partial<Pick<RunControl, "signal" | "deadline$">> = {},
): Steps {
  try {
    const output = call();
    const value$ = awaited(name, output);
    if (!value$) return take(output as T);
    const taken$ = value$.pipe(tap(take), ignoreElements());
    // Subscribed before the deadline is looked at: what comes too late is handled all the same.
    yield deadline$ ? race(taken$, deadline$.pipe(ignoreElements())) : taken$;
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
