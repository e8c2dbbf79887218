import type {
  ClientIdentity,
  Message,
  SimpleStreamOptions,
  ThinkingBudgets,
  Transport,
} from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import type { AgentLoopConfig, AgentOperators, ToolCallHooks } from "./config";
import type { AgentEvent } from "./event";
import type {
  AfterToolCallContext,
  AfterToolCallResult,
  AgentLoopTurnUpdate,
  BeforeToolCallContext,
  BeforeToolCallResult,
  FinishTurn,
  HookOutput,
  PrepareNextTurnContext,
  PrepareRequest,
  ReactiveStreamFn,
  StreamFn,
} from "./hooks";
import type { AgentMessage, QueueMode } from "./messages";
import type { AgentInitialState } from "./state";
import type { ToolExecutionMode } from "./tool";

/** Told every event; what it returns is awaited before the next one, an observable to its completion. */
export type AgentListener = (
  event: AgentEvent,
  signal: AbortSignal,
) => void | PromiseLike<unknown> | Observable<unknown>;

type StreamCallbacks = Pick<SimpleStreamOptions, "onPayload" | "onResponse" | "onProviderStreamEvent">;

/** Options of an Agent. All but `streamFn` have a default; the hooks are described at {@link AgentLoopConfig}. */
export interface AgentOptions
  extends
    ToolCallHooks,
    StreamCallbacks,
    Pick<
      AgentLoopConfig,
      "transformContext" | "getApiKey" | "toolConcurrency" | "abortGraceMs" | "operators" | "toolExecution"
    > {
  initialState?: AgentInitialState;
  /** @defaultValue keeps system, user, assistant and toolResult messages */
  convertToLlm?: AgentLoopConfig["convertToLlm"];
  /** Asks the model. Required, unless `setDefaultStreamFn` was called. */
  streamFn: ReactiveStreamFn;
  finishTurn?: FinishTurn;
  prepareRequest?: PrepareRequest;
  prepareNextTurn?: (signal?: AbortSignal) => HookOutput<AgentLoopTurnUpdate | undefined> | HookOutput<void>;
  /** Used instead of `prepareNextTurn` when both are set. */
  prepareNextTurnWithContext?: (
    context: PrepareNextTurnContext,
    signal?: AbortSignal,
  ) => HookOutput<AgentLoopTurnUpdate | undefined> | HookOutput<void>;
  /** @defaultValue `"one-at-a-time"` */
  steeringMode?: QueueMode;
  /** @defaultValue `"one-at-a-time"` */
  followUpMode?: QueueMode;
  /** Names the session to providers that cache by it. */
  sessionId?: string;
  /** Token budgets of thinking levels, for providers that count tokens. */
  thinkingBudgets?: ThinkingBudgets;
  /** @defaultValue `"auto"` */
  transport?: Transport;
  /** Longest retry delay that a provider may ask for, in ms. */
  maxRetryDelayMs?: number;
  /** Merged over `DEFAULT_AGENT_IDENTITY`. */
  identity?: ClientIdentity;
}

/** The settable options of an Agent. Read, they have pi's types; assigned, they take all that ours do. */
export interface AgentSettings extends StreamCallbacks {
  get convertToLlm(): (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  set convertToLlm(hook: AgentLoopConfig["convertToLlm"]);
  get transformContext():
    ((messages: AgentMessage[], signal?: AbortSignal) => Promise<AgentMessage[]>) | undefined;
  set transformContext(hook: AgentLoopConfig["transformContext"]);
  get streamFunction(): StreamFn;
  set streamFunction(streamFn: ReactiveStreamFn);
  get getApiKey(): ((provider: string) => Promise<string | undefined> | string | undefined) | undefined;
  set getApiKey(hook: AgentLoopConfig["getApiKey"]);
  get beforeToolCall():
    | ((context: BeforeToolCallContext, signal?: AbortSignal) => Promise<BeforeToolCallResult | undefined>)
    | undefined;
  set beforeToolCall(hook: ToolCallHooks["beforeToolCall"]);
  get afterToolCall():
    | ((context: AfterToolCallContext, signal?: AbortSignal) => Promise<AfterToolCallResult | undefined>)
    | undefined;
  set afterToolCall(hook: ToolCallHooks["afterToolCall"]);
  finishTurn?: FinishTurn;
  prepareRequest?: PrepareRequest;
  prepareNextTurn?: AgentOptions["prepareNextTurn"];
  prepareNextTurnWithContext?: AgentOptions["prepareNextTurnWithContext"];
  sessionId?: string;
  thinkingBudgets?: ThinkingBudgets;
  transport: Transport;
  maxRetryDelayMs?: number;
  toolExecution: ToolExecutionMode;
  toolConcurrency?: number;
  abortGraceMs?: number;
  operators?: AgentOperators;
  identity?: ClientIdentity;
}
