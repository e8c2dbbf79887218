// A program for pi: an agent's state, methods and settings in the middle of its life.
import {
  Agent,
  type AfterToolCallContext,
  type AfterToolCallResult,
  type AgentMessage,
  type AgentState,
  type AgentTool,
  type BeforeToolCallContext,
  type BeforeToolCallResult,
  type QueueMode,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import type { ImageContent, Message, Model } from "@earendil-works/pi-ai";

declare const agent: Agent;
declare const model: Model<any>;
declare const tool: AgentTool<any>;
declare const image: ImageContent;

const user: AgentMessage = { role: "user", content: "Hello", timestamp: 1 };

export async function drive(): Promise<void> {
  await agent.prompt("Hello");
  await agent.prompt("What is this?", [image]);
  await agent.prompt(user);
  await agent.prompt([
    { role: "system", content: "", sections: { skills: "none" }, timestamp: 1 },
    { role: "user", content: [{ type: "text", text: "Go on" }, image], timestamp: 2 },
  ]);
  await agent.continue();
  agent.steer(user);
  agent.followUp(user);
  const waiting: AgentMessage[] = agent.hasQueuedMessages() ? agent.peekQueuedMessages() : [];
  if (waiting.length > 0) agent.clearSteeringQueue();
  agent.clearFollowUpQueue();
  agent.clearAllQueues();
  agent.abort();
  await agent.waitForIdle();
  agent.reset();
  // @ts-expect-error -- images go with a text
  await agent.prompt(user, [image]);
  // @ts-expect-error -- a message has a role
  agent.steer({ content: "Hello", timestamp: 1 });
}

export function readState(state: AgentState): string {
  const { systemPrompt, thinkingLevel, isStreaming, streamingMessage, pendingToolCalls, errorMessage } =
    state;
  const pending: string[] = [...pendingToolCalls];
  const role: string | undefined = streamingMessage?.role;
  const busy: boolean = isStreaming || pendingToolCalls.has("call");
  return [systemPrompt, thinkingLevel, busy, role, errorMessage ?? "", ...pending].join();
}

export function change(): void {
  const { state } = agent;
  state.model = model;
  state.thinkingLevel = "medium";
  state.tools = [tool];
  state.tools.push(tool);
  state.messages = [...state.messages, user];
  state.messages.push(user);
  // @ts-expect-error -- the transcript owns the prompt
  state.systemPrompt = "Be brief.";
  // @ts-expect-error -- the run owns it
  state.isStreaming = false;
  // @ts-expect-error -- the run owns it
  state.pendingToolCalls.add("call");
  // @ts-expect-error -- the agent has one state for life
  agent.state = state;
}

export function settings(): void {
  agent.sessionId = "session";
  agent.sessionId = undefined;
  agent.thinkingBudgets = { low: 1 };
  agent.transport = "sse";
  agent.maxRetryDelayMs = 10;
  agent.toolExecution = "parallel";
  agent.identity = { attribution: null };
  agent.steeringMode = "all";
  const followUp: QueueMode = agent.followUpMode;
  agent.followUpMode = followUp;
  agent.onPayload = undefined;
  agent.onResponse = () => {};
  agent.onProviderStreamEvent = undefined;
  agent.prepareNextTurn = async () => undefined;
  agent.prepareNextTurnWithContext = ({ context }) => ({ context, model });
  agent.prepareRequest = async ({ context }) => ({ context: { ...context, messages: [] } });
  agent.finishTurn = async () => undefined;
  agent.getApiKey = () => "key";
  const signal: AbortSignal | undefined = agent.signal;
  signal?.addEventListener("abort", () => {});
}

/** Hooks that wrap the hooks there are. */
export function decorate(): void {
  const { beforeToolCall, afterToolCall, transformContext, convertToLlm, streamFunction, getApiKey } = agent;
  agent.beforeToolCall = async (context: BeforeToolCallContext, signal) => {
    const result: BeforeToolCallResult | undefined = await beforeToolCall?.(context, signal);
    return result?.block ? { ...result, reason: `blocked: ${result.reason}` } : undefined;
  };
  agent.afterToolCall = async (context: AfterToolCallContext, signal) => {
    const result: AfterToolCallResult | undefined = await afterToolCall?.(context, signal);
    return { ...result, isError: result?.isError ?? context.isError };
  };
  agent.transformContext = async (messages, signal) => {
    const kept: AgentMessage[] = (await transformContext?.(messages, signal)) ?? messages;
    return kept.slice(-100);
  };
  agent.convertToLlm = async (messages) => {
    const converted: Message[] = await convertToLlm(messages);
    return converted.filter(({ role }) => role !== "toolResult");
  };
  const wrapped: StreamFn = async (chosen, context, options) => {
    const stream = await streamFunction(chosen, context, options);
    void stream.result().then(({ usage }) => usage.input);
    return stream;
  };
  agent.streamFunction = wrapped;
  agent.getApiKey = async (name) => (await getApiKey?.(name)) ?? "key";
}

export class CountingAgent extends Agent {
  prompts = 0;

  count(text: string): Promise<void> {
    this.prompts += 1;
    return this.prompt(text);
  }
}

export const methods: Pick<Agent, "prompt" | "abort" | "waitForIdle"> = agent;
