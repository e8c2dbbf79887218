import { Subscription, timer } from "rxjs";
import type { AgentToolResult, AgentToolUpdateCallback } from "../types/tool";
import type { FakeToolRun } from "./FakeToolRun";
import { SyncPromise } from "./SyncPromise";
import { textResult } from "./textResult";

/**
 * A run of a fake tool that takes time.
 *
 * @remarks Driven by timers it settles in virtual time, and unlike a tool that returns an observable it does not report its
 * result as an update.
 */
export function timedRun(
  run: FakeToolRun,
  signal?: AbortSignal,
  onUpdate?: AgentToolUpdateCallback,
): PromiseLike<AgentToolResult<unknown>> {
  const output = new SyncPromise<AgentToolResult<unknown>>();
  const timers = new Subscription();
  const at = (ms: number, act: () => void) => timers.add(timer(ms).subscribe(act));
  const abort = () => {
    timers.unsubscribe();
    output.reject(new Error("Operation aborted"));
  };
  const end = () => {
    timers.unsubscribe();
    if (run.fail !== undefined) output.reject(new Error(run.fail));
    else output.resolve(run.result ?? textResult(run.text ?? "done"));
  };
  const updates = run.updates ?? [];
  for (const update of updates)
    at(update.at, () => onUpdate?.(update.result ?? textResult(update.text ?? "")));
  if (!run.stall) at(run.at ?? Math.max(0, ...updates.map((update) => update.at)), end);
  if (!run.ignoreAbort) {
    signal?.addEventListener("abort", abort);
    timers.add(() => signal?.removeEventListener("abort", abort));
  }
  return output;
}
