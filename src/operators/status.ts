import type { AssistantMessage } from "@earendil-works/pi-ai";
import { defer, distinctUntilChanged, map, startWith, type OperatorFunction } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";

/**
 * What an agent is doing.
 *
 * @remarks `waiting`: for the model to begin. `writing`: text or the arguments of a tool call. `settling`: answer and tool
 * results are complete, and what follows is being decided.
 */
export type AgentStatus = "idle" | "waiting" | "thinking" | "writing" | "tools" | "settling";

function callsOf({ content, stopReason }: AssistantMessage): number {
  if (stopReason === "error" || stopReason === "aborted") return 0;
  return content.filter(({ type }) => type === "toolCall").length;
}

function follower(initial: AgentStatus) {
  let status = initial;
  let openCalls = 0;
  const ended = (message: AgentMessage): AgentStatus => {
    if (message.role === "assistant") openCalls = callsOf(message);
    else if (message.role === "toolResult") openCalls = Math.max(openCalls - 1, 0);
    else return status;
    return openCalls > 0 ? "tools" : "settling";
  };
  const next = (event: AgentEvent): AgentStatus => {
    switch (event.type) {
      case "agent_start":
      case "turn_start":
        return "waiting";
      case "message_start":
        return event.message.role === "toolResult" ? status : "waiting";
      case "message_update":
        return event.assistantMessageEvent.type.startsWith("thinking") ? "thinking" : "writing";
      case "message_end":
        return ended(event.message);
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end":
        return "tools";
      case "turn_end":
        return "settling";
      case "agent_end":
        return "idle";
    }
  };
  return (event: AgentEvent) => (status = next(event));
}

/**
 * What the agent is doing: its status at once, then one value per change.
 *
 * @param initial - What it does when subscribed; only somebody who subscribes in mid-run need say.
 * @example
 * ```ts
 * agent.events$.pipe(status()).subscribe((now) => console.log(now));
 * await agent.prompt("Hello");
 * ```
 */
export function status(initial: AgentStatus = "idle"): OperatorFunction<AgentEvent, AgentStatus> {
  return (events$) =>
    defer(() => events$.pipe(map(follower(initial)), startWith(initial), distinctUntilChanged()));
}
