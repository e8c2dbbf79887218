import type { AgentEvent } from "../../types/event";
import type { AgentMessage } from "../../types/messages";

const ROLES: Record<string, string> = { user: "user", assistant: "answer", system: "system" };

function subjectsOfMessage(message: AgentMessage): string[] {
  if (message.role === "toolResult") return [message.toolCallId, "results"];
  return [ROLES[message.role] ?? message.role];
}

/** Whom an event is about, as `of` rows name them: `user`, `answer`, `system`, `results`, `tools`, or a call's letter. */
export function subjectsOf(event: AgentEvent): string[] {
  if (event.type === "turn_start" || event.type === "turn_end") return ["turns"];
  if ("toolCallId" in event) return [event.toolCallId, "tools"];
  return "message" in event ? subjectsOfMessage(event.message) : ["agent"];
}
