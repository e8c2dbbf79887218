import type { Api, AssistantMessage, AssistantMessageEvent, Model, UserMessage } from "@earendil-works/pi-ai";
import type { AgentEvent, AgentMessage, AgentToolCall } from "pi-agent-rx";

export const model: Model<Api> = {
  id: "small",
  name: "Small",
  api: "test-api",
  provider: "tests",
  baseUrl: "",
  reasoning: true,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

export function user(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: 1 };
}

type Block = AssistantMessage["content"][number];

export function text(value: string): Block {
  return { type: "text", text: value };
}

export function call(id: string, name = "work", args: AgentToolCall["arguments"] = {}): AgentToolCall {
  return { type: "toolCall", id, name, arguments: args };
}

/** An answer; it stops for its tool calls when it has some. */
export function answer(content: string | Block[], fields: Partial<AssistantMessage> = {}): AssistantMessage {
  const blocks = typeof content === "string" ? [text(content)] : content;
  return {
    role: "assistant",
    content: blocks,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: blocks.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    timestamp: 2,
    ...fields,
  };
}

/** An answer that calls the tool "work" once for each id. */
export function calls(...ids: string[]): AssistantMessage {
  return answer(ids.map((id) => call(id)));
}

export function failure(errorMessage: string, stopReason: "error" | "aborted" = "error"): AssistantMessage {
  return answer("", { stopReason, errorMessage });
}

/** The terminal event of a message. */
export function terminal(message: AssistantMessage): AssistantMessageEvent {
  const { stopReason } = message;
  return stopReason === "error" || stopReason === "aborted"
    ? { type: "error", reason: stopReason, error: message }
    : ({ type: "done", reason: stopReason, message } as AssistantMessageEvent);
}

/** The `start` event of an answer with this text so far. */
export function started(soFar = ""): AssistantMessageEvent {
  return { type: "start", partial: answer(soFar) };
}

/** One more piece of text; `soFar` includes it. */
export function delta(piece: string, soFar = piece): AssistantMessageEvent {
  return { type: "text_delta", contentIndex: 0, delta: piece, partial: answer(soFar) };
}

export function textOf(message: AgentMessage | undefined): string {
  const { content } = message as { content: string | { type: string; text?: string }[] };
  return typeof content === "string" ? content : content.map((block) => block.text ?? "").join("");
}

/** A message in a word or two. */
export function inShort(message: AgentMessage): string {
  if (message.role === "assistant") return `assistant ${message.stopReason}`;
  if (message.role === "toolResult")
    return `result ${message.toolCallId}${message.isError ? " error" : ""}: ${textOf(message)}`;
  return `${message.role} ${textOf(message)}`.trim();
}

function short(event: AgentEvent): string {
  switch (event.type) {
    case "message_start":
    case "message_end":
      return event.message.role === "toolResult"
        ? `${event.type} result ${event.message.toolCallId}`
        : event.type === "message_start"
          ? `${event.type} ${event.message.role}`
          : `${event.type} ${inShort(event.message)}`;
    case "tool_execution_start":
    case "tool_execution_update":
      return `${event.type} ${event.toolCallId}`;
    case "tool_execution_end":
      return `${event.type} ${event.toolCallId}${event.isError ? " error" : ""}`;
    case "agent_end":
      return `agent_end ${event.outcome}`;
    default:
      return event.type;
  }
}

/** Events as lines to compare. */
export function lines(events: readonly AgentEvent[]): string[] {
  return events.map(short);
}

/** The transcript as lines to compare, without its system messages. */
export function transcript(messages: readonly AgentMessage[]): string[] {
  return messages.filter(({ role }) => role !== "system").map(inShort);
}
