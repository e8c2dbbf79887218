import { createInitialSystemMessage, toToolDeclaration } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";
import type { ReactiveInitialState } from "../types/state";

/** The transcript an agent starts with: a leading system message holds the prompt and the tools, unless there is one. */
export function initialMessages({
  messages = [],
  systemPrompt,
  tools = [],
}: ReactiveInitialState): AgentMessage[] {
  const head = createInitialSystemMessage(systemPrompt, tools.map(toToolDeclaration));
  return head && messages[0]?.role !== "system" ? [head, ...messages] : [...messages];
}
