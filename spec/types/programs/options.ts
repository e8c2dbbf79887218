// A program for pi: every option of an agent, synchronous hooks and asynchronous ones.
import {
  Agent,
  DEFAULT_AGENT_IDENTITY,
  setDefaultStreamFn,
  type AgentInitialState,
  type AgentLoopTurnUpdate,
  type AgentMessage,
  type AgentOptions,
  type AgentRequestUpdate,
  type AgentTurnContext,
  type AgentTurnDecision,
  type FinishTurn,
  type PrepareNextTurnContext,
  type PrepareRequest,
  type PrepareRequestContext,
  type QueueMode,
  type StreamFn,
  type ThinkingLevel,
  type ToolExecutionMode,
} from "@earendil-works/pi-agent-core";
import { createModels, fauxProvider, type Message, type Model } from "@earendil-works/pi-ai";

const models = createModels();
const { provider } = fauxProvider();
models.setProvider(provider);
const model: Model<any> = models.getModels()[0]!;

export const smallest = new Agent({ streamFn: models.streamSimple.bind(models) });
export const quickStart = new Agent({
  initialState: { systemPrompt: "Be brief.", model },
  streamFn: models.streamSimple.bind(models),
});

const direct: StreamFn = (chosen, context, options) => models.streamSimple(chosen, context, options);
const later: StreamFn = async (chosen, context, options) => {
  await Promise.resolve();
  return models.streamSimple(chosen, context, { ...options, maxTokens: 1000 });
};
setDefaultStreamFn(direct);
setDefaultStreamFn(undefined);

const level: ThinkingLevel = "xhigh";
const levels: ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "max"];
const mode: QueueMode = "one-at-a-time";
const execution: ToolExecutionMode = "sequential";

const initialState: AgentInitialState = {
  systemPrompt: "Be brief.",
  model,
  thinkingLevel: level,
  tools: [],
  messages: [{ role: "user", content: "Hello", timestamp: 1 }],
};

const finishTurn: FinishTurn = (turn: AgentTurnContext): AgentTurnDecision | undefined =>
  turn.message.stopReason === "stop" && turn.toolResults.length === 0 ? { action: "end" } : undefined;

const prepareRequest: PrepareRequest = async (request: PrepareRequestContext, signal) => {
  signal?.throwIfAborted();
  const update: AgentRequestUpdate = {
    context: { ...request.context, messages: request.context.messages.slice(-10) },
    model: request.model,
    thinkingLevel: request.thinkingLevel === "max" ? "high" : request.thinkingLevel,
  };
  return update;
};

export const full: AgentOptions = {
  initialState,
  convertToLlm: (messages) => messages.filter((message): message is Message => message.role !== "system"),
  transformContext: async (messages, signal) => (signal?.aborted ? messages : messages.slice(-20)),
  streamFn: later,
  getApiKey: async (name) => (name === "anthropic" ? "key" : undefined),
  onPayload: (payload, chosen) => (chosen.reasoning ? payload : undefined),
  onResponse: (response) => void response.status,
  onProviderStreamEvent: () => undefined,
  beforeToolCall: async ({ toolCall, args, context, assistantMessage }) => {
    const isKnown =
      context.tools?.some(({ name }) => name === toolCall.name) && assistantMessage.content.length > 0;
    return isKnown && args !== null ? undefined : { block: true, reason: "no such tool", terminate: true };
  },
  afterToolCall: async ({ result, isError, toolCall }) =>
    isError || toolCall.name === ""
      ? undefined
      : { details: { ...result.details, audited: true }, terminate: false },
  finishTurn,
  prepareRequest,
  prepareNextTurn: (signal) => ({
    messages: signal ? [] : [{ role: "user", content: "next", timestamp: 2 }],
  }),
  prepareNextTurnWithContext: async ({
    newMessages,
  }: PrepareNextTurnContext): Promise<AgentLoopTurnUpdate> => ({
    thinkingLevel: newMessages.length > 4 ? "high" : "low",
  }),
  steeringMode: mode,
  followUpMode: "all",
  sessionId: "session",
  thinkingBudgets: { minimal: 100, low: 200, medium: 300, high: 400 },
  transport: "auto",
  maxRetryDelayMs: 1000,
  toolExecution: execution,
  identity: { ...DEFAULT_AGENT_IDENTITY, attribution: null },
};

/** Options that wrap options. */
export function withAudit(options: AgentOptions, audit: (messages: AgentMessage[]) => void): AgentOptions {
  return {
    ...options,
    transformContext: async (messages, signal) => {
      audit(messages);
      return messages.slice(signal?.aborted ? 0 : 1);
    },
  };
}

// @ts-expect-error -- streamFn is required
new Agent({ initialState });
// @ts-expect-error -- an unknown mode
new Agent({ streamFn: direct, steeringMode: "some" });
// @ts-expect-error -- a hook of another kind
new Agent({ streamFn: direct, transformContext: async () => "no messages" });
// @ts-expect-error -- a decision that is none
new Agent({ streamFn: direct, finishTurn: () => ({ action: "pause" }) });
// @ts-expect-error -- no such level
levels.push("extreme");
