import type {
  Api,
  AssistantMessage,
  Model,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "@earendil-works/pi-ai";
import type {
  AgentContextInit,
  ReactiveLoopConfig,
  AgentMessage,
  AgentToolCall,
  AgentToolResult,
  AnyAgentTool,
} from "pi-agent-rx";

/** The model of every spec that does not care which. */
export const model: Model<Api> = {
  id: "small",
  name: "Small",
  api: "north-api",
  provider: "north",
  baseUrl: "",
  reasoning: true,
  input: ["text", "image"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

export const user = (content: string): UserMessage => ({ role: "user", content, timestamp: 0 });

export const system = (content: string, fields: Partial<SystemMessage> = {}): SystemMessage => ({
  role: "system",
  content,
  timestamp: 0,
  ...fields,
});

export const call = (id: string, name = "echo", args: AgentToolCall["arguments"] = {}): AgentToolCall => ({
  type: "toolCall",
  id,
  name,
  arguments: args,
});

/** An answer of the model: a string is text; with calls it stops for `toolUse`. A new object each time. */
export function assistant(
  content: string | AssistantMessage["content"],
  fields: Partial<AssistantMessage> = {},
): AssistantMessage {
  const blocks: AssistantMessage["content"] =
    typeof content === "string" ? [{ type: "text", text: content }] : content;
  return {
    role: "assistant",
    content: blocks,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage,
    stopReason: blocks.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    timestamp: 0,
    ...fields,
  };
}

export const toolResult = (id: string, text = "done", isError = false): ToolResultMessage => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "echo",
  content: [{ type: "text", text }],
  isError,
  timestamp: 0,
});

/** What a tool gives back. */
export const output = (text: string, fields: Partial<AgentToolResult<unknown>> = {}) => ({
  content: [{ type: "text" as const, text }],
  details: undefined,
  ...fields,
});

/** A tool that takes any object; without `execute` it says "done". */
export function tool(
  name = "echo",
  execute: AnyAgentTool["execute"] = () => output("done"),
  fields: Partial<AnyAgentTool> = {},
): AnyAgentTool {
  const parameters = { type: "object", properties: {} };
  return { name, label: name, description: `The tool ${name}.`, parameters, execute, ...fields };
}

export const context = (messages: AgentMessage[] = [], tools?: AnyAgentTool[]): AgentContextInit =>
  tools ? { messages, tools } : { messages };

export const config = (fields: Partial<ReactiveLoopConfig> = {}): ReactiveLoopConfig => ({
  model,
  convertToLlm: (messages) => [...messages],
  ...fields,
});
