import type { Log } from "../log";

/** I4: after an abort no request, no tool and no `beforeToolCall` starts in that run. */
export function nothingStartsAfterAnAbort(log: Log): string | undefined {
  let running = false;
  let abortedAt: number | undefined;
  for (const entry of log) {
    if (entry.kind === "step") {
      running = entry.phase !== "settled";
      if (entry.phase !== "returned") abortedAt = undefined;
    }
    if (entry.kind === "action" && entry.action.do === "abort" && running) abortedAt ??= entry.at;
    if (abortedAt === undefined) continue;
    if (entry.kind === "request") return `request ${entry.nth} at ${entry.at}, aborted at ${abortedAt}`;
    if (entry.kind === "tool" && entry.phase === "starts")
      return `${entry.call} at ${entry.at}, aborted at ${abortedAt}`;
    if (entry.kind === "hook" && entry.hook === "beforeToolCall") {
      return `beforeToolCall at ${entry.at}, aborted at ${abortedAt}`;
    }
  }
  return undefined;
}
