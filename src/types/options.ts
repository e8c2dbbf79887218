import type { ClientIdentity, SimpleStreamOptions, ThinkingBudgets, Transport } from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import type { ReactiveLoopConfig, AgentOperators, ReactiveToolCallHooks } from "./config";
import type { AgentEvent } from "./event";
import type {
  ReactiveTurnUpdate,
  ReactiveFinishTurn,
  HookOutput,
  PrepareNextTurnContext,
  ReactivePrepareRequest,
  ReactiveStreamFn,
  StreamFn,
} from "./hooks";
import type { QueueMode } from "./messages";
import type { AgentHooks } from "./piHooks";
import type { ReactiveInitialState } from "./state";
import type { ToolExecutionMode } from "./tool";

/** Told every event; what it returns is awaited before the next one, an observable to its completion. */
export type AgentListener = (
  event: AgentEvent,
  signal: AbortSignal,
) => void | PromiseLike<unknown> | Observable<unknown>;

type StreamCallbacks = Pick<SimpleStreamOptions, "onPayload" | "onResponse" | "onProviderStreamEvent">;

/** Options of an Agent. All but `streamFn` have a default; the hooks are described at {@link ReactiveLoopConfig}. */
export interface ReactiveAgentOptions
  extends
    ReactiveToolCallHooks,
    StreamCallbacks,
    Pick<
      ReactiveLoopConfig,
      "transformContext" | "getApiKey" | "toolConcurrency" | "abortGraceMs" | "operators" | "toolExecution"
    > {
  initialState?: ReactiveInitialState;
  /** @defaultValue keeps system, user, assistant and toolResult messages */
  convertToLlm?: ReactiveLoopConfig["convertToLlm"];
  /** Asks the model. Required, unless `setDefaultStreamFn` was called. */
  streamFn: ReactiveStreamFn;
  finishTurn?: ReactiveFinishTurn;
  prepareRequest?: ReactivePrepareRequest;
  prepareNextTurn?: (signal?: AbortSignal) => HookOutput<ReactiveTurnUpdate | undefined> | HookOutput<void>;
  /** Used instead of `prepareNextTurn` when both are set. */
  prepareNextTurnWithContext?: (
    context: PrepareNextTurnContext,
    signal?: AbortSignal,
  ) => HookOutput<ReactiveTurnUpdate | undefined> | HookOutput<void>;
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
  get streamFunction(): StreamFn;
  set streamFunction(streamFn: ReactiveStreamFn);
  get convertToLlm(): NonNullable<AgentHooks["convertToLlm"]>;
  set convertToLlm(hook: ReactiveLoopConfig["convertToLlm"]);
  get transformContext(): AgentHooks["transformContext"];
  set transformContext(hook: ReactiveLoopConfig["transformContext"]);
  get getApiKey(): AgentHooks["getApiKey"];
  set getApiKey(hook: ReactiveLoopConfig["getApiKey"]);
  get beforeToolCall(): AgentHooks["beforeToolCall"];
  set beforeToolCall(hook: ReactiveToolCallHooks["beforeToolCall"]);
  get afterToolCall(): AgentHooks["afterToolCall"];
  set afterToolCall(hook: ReactiveToolCallHooks["afterToolCall"]);
  get finishTurn(): AgentHooks["finishTurn"];
  set finishTurn(hook: ReactiveFinishTurn | undefined);
  get prepareRequest(): AgentHooks["prepareRequest"];
  set prepareRequest(hook: ReactivePrepareRequest | undefined);
  get prepareNextTurn(): AgentHooks["prepareNextTurn"];
  set prepareNextTurn(hook: ReactiveAgentOptions["prepareNextTurn"]);
  get prepareNextTurnWithContext(): AgentHooks["prepareNextTurnWithContext"];
  set prepareNextTurnWithContext(hook: ReactiveAgentOptions["prepareNextTurnWithContext"]);
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
