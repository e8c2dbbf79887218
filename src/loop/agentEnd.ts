import type { AgentEvent, AgentOutcome } from "../types/event";
import type { LoopRun } from "./loopRun";

type AgentEnd = Extract<AgentEvent, { type: "agent_end" }>;

function outcomeOf({ turn, decision, control }: LoopRun): { outcome: AgentOutcome; reason?: unknown } {
  const stopReason = turn?.message.stopReason;
  if (stopReason === "error") return { outcome: "failed" };
  if (control.signal.aborted || stopReason === "aborted")
    return { outcome: "aborted", reason: control.reason };
  if (decision?.action === "end") return { outcome: "stopped", reason: decision.reason };
  return { outcome: "completed" };
}

/** The last event of a run, as it stands when it is told. */
export function agentEnd(run: LoopRun): AgentEnd {
  const { outcome, reason } = outcomeOf(run);
  const event: AgentEnd = { type: "agent_end", messages: run.newMessages, outcome };
  if (reason !== undefined) event.reason = reason;
  return event;
}
