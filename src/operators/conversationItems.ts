import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";
import type { ConversationItem } from "./ConversationView";

type Block = AssistantMessage["content"][number];

function block(content: Block, id: string, isStreaming: boolean): ConversationItem {
  switch (content.type) {
    case "text":
      return { kind: "text", id, text: content.text, isStreaming };
    case "thinking":
      return { kind: "thinking", id, text: content.thinking, isStreaming };
    case "toolCall": {
      const { id: toolCallId, name: toolName, arguments: args } = content;
      return { kind: "toolCall", id, toolCallId, toolName, args, state: isStreaming ? "writing" : "waiting" };
    }
  }
}

/** Whether the item is up to date. */
function shows(item: ConversationItem, content: Block): boolean {
  switch (item.kind) {
    case "text":
      return content.type === "text" && content.text === item.text;
    case "thinking":
      return content.type === "thinking" && content.thinking === item.text;
    case "toolCall":
      return content.type === "toolCall" && content.arguments === item.args;
    default:
      return false;
  }
}

const isBlank = (item: ConversationItem) =>
  (item.kind === "text" || item.kind === "thinking") && item.text === "";

/** An answer that has ended: without blank blocks, and with a line that says why when it broke off. */
function answer({ content, stopReason, errorMessage }: AssistantMessage, id: string): ConversationItem[] {
  const items = content
    .map((part, index) => block(part, `${id}.${index}`, false))
    .filter((item) => !isBlank(item));
  if (stopReason !== "error" && stopReason !== "aborted") return items;
  return [
    ...items.map((item) => (item.kind === "toolCall" ? { ...item, state: "skipped" as const } : item)),
    { kind: "failure", id: `${id}.end`, stopReason, text: errorMessage ?? stopReason },
  ];
}

function other(message: AgentMessage, id: string): ConversationItem {
  if (message.role === "user") return { kind: "user", id, message };
  return { kind: message.role === "system" ? "system" : "custom", id, message };
}

/** What is left of an item when its turn is over: nothing streams any more, and what has not run never will. */
function settled(item: ConversationItem): ConversationItem {
  if (item.kind === "toolCall") {
    return item.state === "done" || item.state === "failed" || item.state === "skipped"
      ? item
      : { ...item, state: "skipped" };
  }
  return (item.kind === "text" || item.kind === "thinking") && item.isStreaming
    ? { ...item, isStreaming: false }
    : item;
}

/** The items of a message, made anew. */
export const conversationItems = {
  block,
  shows,
  settled,
  open: (message: AgentMessage, id: string): ConversationItem[] =>
    message.role === "assistant"
      ? message.content.map((part, index, { length }) => block(part, `${id}.${index}`, index === length - 1))
      : [other(message, id)],
  ended: (message: AgentMessage, id: string): ConversationItem[] =>
    message.role === "assistant" ? answer(message, id) : [other(message, id)],
};
