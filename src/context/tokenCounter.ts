import type { AgentMessage } from "../types/messages";
import { estimateMessageTokens, estimateTextTokens } from "@earendil-works/pi-ai/utils/estimate";

const LLM_ROLES = ["system", "user", "assistant", "toolResult"];

// Of an app's own message nobody knows yet what convertToLlm makes; its JSON is a fair upper bound.
function estimateTokens(message: AgentMessage): number {
  return LLM_ROLES.includes(message.role)
    ? estimateMessageTokens(message)
    : estimateTextTokens(JSON.stringify(message));
}

/** Counts the tokens of messages, each once: by a user's tokenizer, or by pi-ai's estimate. */
export function tokenCounter(
  estimate: (message: AgentMessage) => number = estimateTokens,
): (message: AgentMessage) => number {
  const known = new WeakMap<AgentMessage, number>();
  return (message) => {
    const tokens = known.get(message) ?? estimate(message);
    known.set(message, tokens);
    return tokens;
  };
}
