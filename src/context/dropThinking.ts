import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { MonoTypeOperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentMessage } from "../types/messages";
import { provenance } from "./provenance";
import { rewriteOld, type RewriteOldOptions } from "./rewriteOld";

/** Which thinking {@link dropThinking} drops. */
export type DropThinkingOptions = RewriteOldOptions;

// The part behind the bar names an item of OpenAI's, which is refused without the reasoning item that led to it.
function isTied({ content }: AssistantMessage): boolean {
  return content.some((block) => block.type === "toolCall" && block.id.includes("|"));
}

function withoutThinking(message: AssistantMessage): AssistantMessage | undefined {
  if (!message.content.some(({ type }) => type === "thinking") || isTied(message)) return message;
  const content = message.content
    .filter(({ type }) => type !== "thinking")
    // A text's signature may name the reasoning before it, too.
    .map((block) => (block.type === "text" ? { type: block.type, text: block.text } : block));
  return content.length > 0 ? provenance.change(message, { content }) : undefined;
}

/**
 * Drops the thinking of old turns. The current turn keeps its own: providers want it back while tools run.
 *
 * @remarks The border between old and new turns moves in steps, so the request's beginning changes only once in `step`
 * turns. A message that was nothing but thinking goes. Thinking that OpenAI's Responses API ties to a tool call stays,
 * since the call is refused without it.
 *
 * @example
 * ```ts
 * const pruned = new Agent({
 *   initialState: { model },
 *   streamFn,
 *   operators: { context: dropThinking({ olderThanTurns: 2 }) },
 * });
 * ```
 */
export function dropThinking(options: DropThinkingOptions = {}): MonoTypeOperatorFunction<AgentMessage[]> {
  const { olderThanTurns = 1 } = options;
  if (olderThanTurns < 1) throw expected("dropThinking: olderThanTurns", "an integer ≥ 1", olderThanTurns);
  return rewriteOld("dropThinking", options, (message) =>
    message.role === "assistant" ? withoutThinking(message) : message,
  );
}
