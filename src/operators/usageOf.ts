import type { Usage } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";

/** What a message cost: a response, or the model calls that a tool made itself. */
export function usageOf(message: AgentMessage): Usage | undefined {
  return message.role === "assistant" || message.role === "toolResult" ? message.usage : undefined;
}
