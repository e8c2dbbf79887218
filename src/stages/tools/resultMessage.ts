import type { ToolResultMessage } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import type { AgentToolCallOutcome } from "../../types/tool";

/** The transcript's message of an outcome. Missing content counts as empty. */
export function resultMessage({
  toolCall,
  result,
  isError,
  durationMs,
}: AgentToolCallOutcome): ToolResultMessage {
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    content: result.content ?? [],
    details: result.details,
    usage: result.usage,
    isError,
    timestamp: asyncScheduler.now(),
  };
  if (durationMs !== undefined) message.durationMs = durationMs;
  return message;
}
