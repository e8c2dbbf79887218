import type { AgentToolCall } from "../../types/messages";
import type { AgentToolCallOutcome } from "../../types/tool";
import { errorResult } from "./errorResult";

/** The outcome of a call that did not run. */
export function failedCall(toolCall: AgentToolCall, text: string): AgentToolCallOutcome {
  return { toolCall, result: errorResult(text), isError: true };
}
