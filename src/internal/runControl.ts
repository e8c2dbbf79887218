import { asyncScheduler, Observable, type Subscription } from "rxjs";
import type { RunControl } from "../types/gate";

/** How long provider, tools and hooks get to end after an abort, in ms. */
const DEFAULT_GRACE_MS = 2000;

/**
 * Makes the control of one run.
 *
 * @remarks The one place that keeps the time of the abort: stages wait for the deadline instead of adding listeners to the
 * signal, so a batch of thousands of tools adds none. They share one timer; a set lets each go at no cost to the others.
 */
export function runControl(graceMs = DEFAULT_GRACE_MS): RunControl {
  const controller = new AbortController();
  const waiting = new Set<() => void>();
  let deadline = Infinity;
  let timer: Subscription | undefined;
  const expire = () => {
    for (const call of waiting) call();
  };
  const arm = () => {
    const left = deadline - asyncScheduler.now();
    if (left <= 0) expire();
    else if (waiting.size > 0 && left < Infinity) timer ??= asyncScheduler.schedule(expire, left);
  };
  const onDeadline = (call: () => void) => {
    waiting.add(call);
    arm();
    return () => {
      waiting.delete(call);
      if (waiting.size > 0) return;
      timer?.unsubscribe();
      timer = undefined;
    };
  };
  const control: RunControl = {
    signal: controller.signal,
    deadline$: new Observable((subscriber) =>
      onDeadline(() => {
        subscriber.next(0);
        subscriber.complete();
      }),
    ),
    onDeadline,
    abort(reason) {
      if (controller.signal.aborted) return;
      control.reason = reason;
      const abortedAt = asyncScheduler.now();
      controller.abort(reason); // first, so that who looks at the deadline sees the abort
      deadline = abortedAt + graceMs;
      arm();
    },
  };
  return control;
}
