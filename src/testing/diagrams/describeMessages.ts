import type { AgentMessage } from "../../types/messages";

function textOf(message: AgentMessage): string {
  if (!("content" in message)) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => ("text" in block ? block.text : "")).join("");
}

function describe(message: AgentMessage): string {
  const { role } = message;
  if (role === "assistant") return `answer ${message.stopReason}`;
  if (role === "toolResult") return `${message.isError ? "error" : "result"} ${message.toolCallId}`;
  return role === "user" ? `user ${JSON.stringify(textOf(message))}` : role;
}

/** A transcript in words: `user "Hi", answer toolUse, result b, answer stop`. A leading system message is left out. */
export function describeMessages(messages: readonly AgentMessage[]): string {
  const told = messages[0]?.role === "system" ? messages.slice(1) : messages;
  return told.map(describe).join(", ");
}
