import type { Message, Model } from "@earendil-works/pi-ai";
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
} from "./hooks";
import type { AgentMessage, ThinkingLevel } from "./messages";

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

/** The hooks of the bare loop as pi types them. */
export interface LoopHooks extends CommonHooks {
  convertToLlm: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  prepareNextTurn?: (context: PrepareNextTurnContext) => TurnUpdate;
  getSteeringMessages?: () => Promise<AgentMessage[]>;
  getFollowUpMessages?: () => Promise<AgentMessage[]>;
}
