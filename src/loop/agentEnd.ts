import type { AgentEvent, AgentOutcome } from "../types/event";
import type { LoopRun } from "./loopRun";

type AgentEnd = Extract<AgentEvent, { type: "agent_end" }>;

// What `abort()` without a reason puts on the signal says nothing.
function abortReason({ control: { signal } }: LoopRun): unknown {
  const { reason } = signal as { reason: unknown };
  return reason instanceof DOMException && reason.name === "AbortError" ? undefined : reason;
}

function outcomeOf({ turn, decision, control }: LoopRun): { outcome: AgentOutcome; reason?: unknown } {
  const stopReason = turn?.message.stopReason;
  if (stopReason === "error") return { outcome: "failed" };
  if (control.signal.aborted || stopReason === "aborted") return { outcome: "aborted" };
  if (decision?.action === "end") return { outcome: "stopped", reason: decision.reason };
  return { outcome: "completed" };
}

/** The last event of a run, as it stands when it is told. */
export function agentEnd(run: LoopRun): AgentEnd {
  const { outcome, reason = outcome === "aborted" ? abortReason(run) : undefined } = outcomeOf(run);
  const event: AgentEnd = { type: "agent_end", messages: run.newMessages, outcome };
  if (reason !== undefined) event.reason = reason;
  return event;
}
