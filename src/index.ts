// The words.
export type {
  AgentMessage,
  AgentToolCall,
  CustomAgentMessages,
  QueueMode,
  ThinkingLevel,
} from "./types/messages";
export type { AgentContext, AgentContextInit } from "./types/context";
export type { AgentEvent, AgentOutcome } from "./types/event";
export type { Gate, RunControl } from "./types/gate";
export type {
  AgentTool,
  AgentToolCallOutcome,
  AgentToolOutput,
  AgentToolParams,
  AgentToolResult,
  AgentToolUpdateCallback,
  AnyToolResult,
  AnyAgentTool,
  ReactiveTool,
  ToolExecutionMode,
} from "./types/tool";
export type {
  AfterToolCallContext,
  AfterToolCallResult,
  ReactiveTurnUpdate,
  ReactiveRequestUpdate,
  AgentTurnContext,
  AgentTurnDecision,
  BeforeToolCallContext,
  BeforeToolCallResult,
  ConvertToLlm,
  ReactiveFinishTurn,
  HookOutput,
  ModelRequest,
  PrepareNextTurnContext,
  ReactivePrepareRequest,
  PrepareRequestContext,
  ReactiveStreamFn,
  StreamFn,
  StreamOutput,
} from "./types/hooks";
export type {
  ReactiveLoopConfig,
  AgentOperators,
  ReactiveToolCallHooks,
  ReactiveToolCallOptions,
  ToolCallRequest,
} from "./types/config";
export type { ReactiveInitialState, AgentQueues, AgentSnapshot, AgentState } from "./types/state";
export type { AgentInitialState, AgentLoopConfig, AgentOptions, RunToolCallOptions } from "./types/pi";
export type {
  AgentHooks,
  AgentLoopTurnUpdate,
  AgentRequestUpdate,
  FinishTurn,
  LoopHooks,
  PrepareRequest,
  ToolCallHooks,
} from "./types/piHooks";
export type { AgentListener, ReactiveAgentOptions, AgentSettings } from "./types/options";

// The agent.
export { Agent } from "./agent/Agent";

// The bare loop.
export { DEFAULT_AGENT_IDENTITY } from "./loop/DEFAULT_AGENT_IDENTITY";
export { agentLoop } from "./loop/agentLoop";
export { agentLoopContinue } from "./loop/agentLoopContinue";
export { agentRun } from "./loop/agentRun";
export type { AgentRunOptions } from "./loop/AgentRunOptions";
export { AgentEventStream } from "./loop/AgentEventStream";
export { runAgentLoop } from "./loop/runAgentLoop";
export { runAgentLoopContinue } from "./loop/runAgentLoopContinue";
export type { AgentEventSink } from "./loop/settledRun";
export { runToolCall } from "./loop/runToolCall";
export { setDefaultStreamFn } from "./loop/setDefaultStreamFn";

// The stages, in flow order, for loops of one's own.
export { announceTools, type AnnounceToolsDeps } from "./stages/announceTools";
export { commitMessages, type CommitMessagesDeps } from "./stages/commitMessages";
export { prepareRequest, type PrepareRequestDeps } from "./stages/prepareRequest";
export { transformContext, type TransformContextDeps } from "./stages/transformContext";
export { convertToLlm, type ConvertToLlmDeps } from "./stages/convertToLlm";
export { streamResponse, type StreamResponseDeps } from "./stages/streamResponse";
export { assistantEvents, type AssistantEventsDeps } from "./stages/assistantEvents";
export { toolStage } from "./stages/tools/toolStage";
export type { ToolStageDeps } from "./stages/tools/ToolStageDeps";
export { endTurn, type EndTurnDeps } from "./stages/endTurn";
export { schedule, type EndedTurn, type NextTurn, type ScheduleDeps } from "./stages/schedule";
export type { QueuedMessages } from "./internal/takeQueued";
export { runControl } from "./internal/runControl";
export { withSignal, type WithSignalOptions } from "./internal/withSignal";

// The proxy's client; its server is "pi-agent-rx/proxy".
export { streamProxy } from "./proxy/streamProxy";
export type { ProxyAssistantMessageEvent } from "./proxy/ProxyAssistantMessageEvent";
export type { ProxyStreamOptions } from "./proxy/ProxyStreamOptions";
