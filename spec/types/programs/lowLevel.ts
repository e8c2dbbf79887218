// A program for pi: the loop without an agent.
import {
  agentLoop,
  agentLoopContinue,
  runAgentLoop,
  runAgentLoopContinue,
  runToolCall,
  type AgentContext,
  type AgentEvent,
  type AgentEventSink,
  type AgentLoopConfig,
  type AgentMessage,
  type AgentTool,
  type AgentToolCall,
  type AgentToolCallOutcome,
  type RunToolCallOptions,
  type StreamFn,
  type ToolCallHooks,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage, EventStream, Message, Model } from "@earendil-works/pi-ai";

declare const model: Model<any>;
declare const streamFn: StreamFn;
declare const tool: AgentTool<any>;
declare const assistantMessage: AssistantMessage;

const context: AgentContext = {
  messages: [{ role: "system", content: "Be brief.", timestamp: 1 }],
  tools: [tool],
};

const queue: AgentMessage[] = [];

const config: AgentLoopConfig = {
  model,
  convertToLlm: (messages) => messages.filter((message): message is Message => message.role !== "system"),
  transformContext: async (messages) => messages,
  getApiKey: () => undefined,
  finishTurn: async ({ message }) => (message.stopReason === "length" ? { action: "continue" } : undefined),
  prepareRequest: ({ thinkingLevel }) => ({ thinkingLevel }),
  prepareNextTurn: async ({ message }) => (message.content.length > 0 ? undefined : { model }),
  getSteeringMessages: async () => queue.splice(0, 1),
  getFollowUpMessages: async () => [],
  toolExecution: "parallel",
  beforeToolCall: async () => undefined,
  afterToolCall: async ({ isError }) => ({ isError }),
  temperature: 0,
  maxTokens: 100,
  reasoning: "low",
  sessionId: "session",
  headers: { "x-app": "a" },
  metadata: { user: "a" },
};

const prompt: AgentMessage = { role: "user", content: "Hello", timestamp: 2 };

export async function iterate(signal?: AbortSignal): Promise<AgentMessage[]> {
  const stream: EventStream<AgentEvent, AgentMessage[]> = agentLoop(
    [prompt],
    context,
    config,
    signal,
    streamFn,
  );
  for await (const event of stream) if (event.type === "agent_end") return event.messages;
  for await (const { type } of agentLoopContinue(context, config, undefined, streamFn)) void type;
  return stream.result();
}

export async function emit(): Promise<AgentMessage[]> {
  const seen: AgentEvent[] = [];
  const sink: AgentEventSink = (event) => void seen.push(event);
  const first = await runAgentLoop([prompt], context, config, sink, undefined, streamFn);
  const more = await runAgentLoopContinue(context, config, async (event) => sink(event), undefined, streamFn);
  return [...first, ...more];
}

export async function nested(toolCall: AgentToolCall, hooks: ToolCallHooks): Promise<string> {
  const options: RunToolCallOptions = {
    ...hooks,
    tools: [tool],
    assistantMessage,
    context,
    onUpdate: async ({ details }) => void details,
  };
  const { result, isError, durationMs }: AgentToolCallOutcome = await runToolCall(toolCall, options);
  return `${isError} ${durationMs ?? 0} ${result.content.length}`;
}

export type LoopArguments = Parameters<typeof agentLoop>;
export const call = (...args: LoopArguments) => agentLoop(...args);

// @ts-expect-error -- one prompt is a list of one
agentLoop(prompt, context, config, undefined, streamFn);
// @ts-expect-error -- convertToLlm is required
export const noConversion: AgentLoopConfig = { model };
// @ts-expect-error -- a context has messages
export const noMessages: AgentContext = { tools: [] };
