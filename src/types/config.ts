import type {
  AssistantMessage,
  AssistantMessageEvent,
  Model,
  SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import type { MonoTypeOperatorFunction, OperatorFunction } from "rxjs";
import type { AgentContext, AgentContextInit } from "./context";
import type {
  AfterToolCallContext,
  AfterToolCallResult,
  ReactiveTurnUpdate,
  BeforeToolCallContext,
  BeforeToolCallResult,
  ConvertToLlm,
  ReactiveFinishTurn,
  HookOutput,
  ModelRequest,
  PrepareNextTurnContext,
  ReactivePrepareRequest,
} from "./hooks";
import type { AgentMessage, AgentToolCall } from "./messages";
import type { AgentToolResult, AnyAgentTool, AnyToolResult, ToolExecutionMode } from "./tool";

/** One allowed tool call, its arguments prepared and validated. */
export interface ToolCallRequest {
  toolCall: AgentToolCall;
  tool: AnyAgentTool;
  args: unknown;
  assistantMessage: AssistantMessage;
  context: AgentContext;
  /** Aborted when the run is: what waits for something of its own ends then. */
  signal: AbortSignal;
}

/**
 * Operators that wrap one stage for one request or one call.
 *
 * @remarks Each is applied anew per request or call. After an abort nothing they resubscribe to starts again.
 */
export interface AgentOperators {
  /** Applied to the transcript after `transformContext`, before `convertToLlm`. Emits one array per request. */
  context?: OperatorFunction<AgentMessage[], AgentMessage[]>;
  /** Applied to the provider's events; resubscribing makes the request again (timeout, retry, fallback). */
  response?: (request: ModelRequest) => MonoTypeOperatorFunction<AssistantMessageEvent>;
  /** Applied to what `execute` returns: its last value is the result; resubscribing runs the tool again (timeout, retry, cache). */
  toolCall?: (call: ToolCallRequest) => MonoTypeOperatorFunction<AgentToolResult<any>>;
}

/** The hooks round a tool call. */
export interface ReactiveToolCallHooks {
  /**
   * Called for each call after its arguments were validated, before it runs.
   *
   * @remarks Contract: honour `signal`. A throw makes an error result of this call alone.
   */
  beforeToolCall?: (
    context: BeforeToolCallContext,
    signal?: AbortSignal,
  ) => HookOutput<BeforeToolCallResult | undefined> | HookOutput<void>;
  /**
   * Called after a call has run, before its end is reported.
   *
   * @remarks Contract: honour `signal`. A throw makes an error result of this call alone.
   */
  afterToolCall?: (
    context: AfterToolCallContext,
    signal?: AbortSignal,
  ) => HookOutput<AfterToolCallResult | undefined> | HookOutput<void>;
}

/** Everything a run of the low-level loop needs beside its transcript. Extra stream options go to the provider as they are. */
export interface ReactiveLoopConfig extends SimpleStreamOptions, ReactiveToolCallHooks {
  model: Model<any>;
  /**
   * Turns the transcript into what the model reads, before each request.
   *
   * @remarks Contract: return a fallback rather than throw; a throw ends the run.
   */
  convertToLlm: ConvertToLlm;
  /**
   * Prunes or enriches the transcript of one request, before `convertToLlm`. The transcript itself stays.
   *
   * @remarks Contract: return a fallback rather than throw; a throw ends the run.
   */
  transformContext?: (messages: AgentMessage[], signal?: AbortSignal) => HookOutput<AgentMessage[]>;
  /** Gives the API key of a provider before each request; nothing leaves `apiKey`. */
  getApiKey?: (provider: string) => HookOutput<string | undefined>;
  finishTurn?: ReactiveFinishTurn;
  prepareRequest?: ReactivePrepareRequest;
  /** Called between two turns, when the run goes on. */
  prepareNextTurn?: (
    context: PrepareNextTurnContext,
  ) => HookOutput<ReactiveTurnUpdate | undefined> | HookOutput<void>;
  /** Takes steering messages, after each turn and once at the start. */
  getSteeringMessages?: () => HookOutput<AgentMessage[]>;
  /** Takes follow-up messages, when the run would stop. */
  getFollowUpMessages?: () => HookOutput<AgentMessage[]>;
  /** Told what was taken from a queue when the run ends before it reached the transcript. */
  onUndelivered?: (messages: AgentMessage[], queue: "steering" | "followUp") => void;
  /** @defaultValue `"parallel"` */
  toolExecution?: ToolExecutionMode;
  /** Most tools running at once in a parallel batch. @defaultValue no limit */
  toolConcurrency?: number;
  /** How long provider, tools and hooks may take to end after an abort, in ms. @defaultValue 2000 */
  abortGraceMs?: number;
  operators?: AgentOperators;
}

/** What `runToolCall` needs. */
export interface ReactiveToolCallOptions
  extends ReactiveToolCallHooks, Pick<ReactiveLoopConfig, "abortGraceMs" | "operators"> {
  /** The tools that can be called. */
  tools: readonly AnyAgentTool[];
  /** Given to the hooks. */
  assistantMessage: AssistantMessage;
  /** Given to the hooks. */
  context: AgentContextInit;
  /** Aborting it gives a running tool `abortGraceMs` to end. */
  signal?: AbortSignal;
  /** Told the tool's updates; promises are awaited before the outcome. */
  onUpdate?: (partialResult: AnyToolResult) => Promise<void> | void;
}
