import { asyncScheduler, AsyncSubject, of, switchMap, timer } from "rxjs";
import type { RunControl } from "../types/gate";

/** How long provider, tools and hooks get to end after an abort, in ms. */
const DEFAULT_GRACE_MS = 2000;

/**
 * Makes the control of one run.
 *
 * @remarks The one place that keeps the time of the abort: stages subscribe to `deadline$` instead of adding listeners to the
 * signal, so a batch of thousands of tools adds none.
 */
export function runControl(graceMs = DEFAULT_GRACE_MS): RunControl {
  const controller = new AbortController();
  const abortedAt$ = new AsyncSubject<number>();
  const control: RunControl = {
    signal: controller.signal,
    deadline$: abortedAt$.pipe(
      switchMap((abortedAt) => {
        const left = abortedAt + graceMs - asyncScheduler.now();
        return left > 0 ? timer(left) : of(0);
      }),
    ),
    abort(reason) {
      if (controller.signal.aborted) return;
      control.reason = reason;
      const abortedAt = asyncScheduler.now();
      controller.abort(reason); // first, so that who looks at the deadline sees the abort
      abortedAt$.next(abortedAt);
      abortedAt$.complete();
    },
  };
  return control;
}
