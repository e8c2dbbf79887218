import type { AgentEvent } from "pi-agent-rx";

/** An event in a word or three, for marbles and lists. */
export function label(event: AgentEvent): string {
  if (event.type !== "turn_end" && "message" in event) return `${event.type} ${event.message.role}`;
  if ("toolCallId" in event) return `${event.type} ${event.toolCallId}`;
  return event.type;
}
