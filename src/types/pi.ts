import type { AssistantMessage, Message, Model } from "@earendil-works/pi-ai";
import type { ReactiveLoopConfig, ReactiveToolCallOptions } from "./config";
import type { AgentContext } from "./context";
import type {
  AfterToolCallContext,
  AfterToolCallResult,
  AgentTurnContext,
  AgentTurnDecision,
  BeforeToolCallContext,
  BeforeToolCallResult,
  PrepareNextTurnContext,
  PrepareRequestContext,
  StreamFn,
} from "./hooks";
import type { AgentMessage, ThinkingLevel } from "./messages";
import type { ReactiveAgentOptions } from "./options";
import type { AgentState, ReactiveInitialState } from "./state";
import type { AgentTool } from "./tool";

/** What changes for the next turn. */
export interface AgentLoopTurnUpdate {
  context?: AgentContext;
  /** Added to the transcript at the start of the turn, with their events. */
  messages?: AgentMessage[];
  model?: Model<any>;
  thinkingLevel?: ThinkingLevel;
}

/** What changes for this request and those after it. */
export type AgentRequestUpdate = Omit<AgentLoopTurnUpdate, "messages">;

/** {@link ReactiveFinishTurn} as pi types it. */
export type FinishTurn = (
  turn: AgentTurnContext,
  signal?: AbortSignal,
) => Promise<AgentTurnDecision | undefined> | Promise<void> | AgentTurnDecision | void;

/** {@link ReactivePrepareRequest} as pi types it. */
export type PrepareRequest = (
  request: PrepareRequestContext,
  signal?: AbortSignal,
) => Promise<AgentRequestUpdate | undefined> | Promise<void> | AgentRequestUpdate | void;

type TurnUpdate = Promise<AgentLoopTurnUpdate | undefined> | AgentLoopTurnUpdate | undefined;

/** {@link ReactiveToolCallHooks} as pi types them. */
export interface ToolCallHooks {
  beforeToolCall?: (
    context: BeforeToolCallContext,
    signal?: AbortSignal,
  ) => Promise<BeforeToolCallResult | undefined>;
  afterToolCall?: (
    context: AfterToolCallContext,
    signal?: AbortSignal,
  ) => Promise<AfterToolCallResult | undefined>;
}

interface CommonHooks extends ToolCallHooks {
  transformContext?: (messages: AgentMessage[], signal?: AbortSignal) => Promise<AgentMessage[]>;
  getApiKey?: (provider: string) => Promise<string | undefined> | string | undefined;
  finishTurn?: FinishTurn;
  prepareRequest?: PrepareRequest;
}

/** The hooks of an agent as pi types them. */
export interface AgentHooks extends CommonHooks {
  convertToLlm?: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  prepareNextTurn?: (signal?: AbortSignal) => TurnUpdate;
  prepareNextTurnWithContext?: (context: PrepareNextTurnContext, signal?: AbortSignal) => TurnUpdate;
}

interface LoopHooks extends CommonHooks {
  convertToLlm: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  prepareNextTurn?: (context: PrepareNextTurnContext) => TurnUpdate;
  getSteeringMessages?: () => Promise<AgentMessage[]>;
  getFollowUpMessages?: () => Promise<AgentMessage[]>;
}

/** {@link ReactiveLoopConfig} as pi types it: a program can call the hooks that it reads. */
export interface AgentLoopConfig extends Omit<ReactiveLoopConfig, keyof LoopHooks>, LoopHooks {}

/** {@link ReactiveInitialState} as pi types it. */
export type AgentInitialState = Omit<ReactiveInitialState, "tools"> & Partial<Pick<AgentState, "tools">>;

/** {@link ReactiveAgentOptions} as pi types them: a program can call the hooks that it reads. */
export interface AgentOptions
  extends Omit<ReactiveAgentOptions, keyof AgentHooks | "streamFn" | "initialState">, AgentHooks {
  streamFn: StreamFn;
  initialState?: AgentInitialState;
}

/** {@link ReactiveToolCallOptions} as pi types them. */
export interface RunToolCallOptions
  extends Omit<ReactiveToolCallOptions, keyof ToolCallHooks | "tools" | "context">, ToolCallHooks {
  tools: readonly AgentTool<any>[];
  context: AgentContext;
  assistantMessage: AssistantMessage;
}
