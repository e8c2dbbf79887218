import type {
  Api,
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  ImageContent,
  JsonValue,
  Message,
  Model,
  SimpleStreamOptions,
  TextContent,
  ToolResultMessage,
  TranscriptContext,
  Usage,
} from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import type { AgentContext, AgentContextInit } from "./context";
import type { AgentMessage, AgentToolCall, ThinkingLevel } from "./messages";
import type { AgentToolResult } from "./tool";

/** What a hook may return: a value, a promise of it, or an observable of one. */
export type HookOutput<T> = T | PromiseLike<T> | Observable<T>;

/**
 * Asks a model for a response. `models.streamSimple` of pi-ai fits.
 *
 * @remarks Contract: failures of the request are told by an `error` event, not thrown. `context` holds the prompt and
 * the tool declarations in its system messages.
 */
export type StreamFn = (
  model: Model<Api>,
  context: TranscriptContext,
  options?: SimpleStreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

/** What a stream function of ours may return besides pi's event stream. */
export type StreamOutput =
  AssistantMessageEventStream | AsyncIterable<AssistantMessageEvent> | Observable<AssistantMessageEvent>;

/** A {@link StreamFn} that may also return an observable or any async iterable of provider events. */
export type ReactiveStreamFn = (
  model: Model<Api>,
  context: TranscriptContext,
  options?: SimpleStreamOptions,
) => StreamOutput | PromiseLike<StreamOutput>;

/** What `beforeToolCall` decides. Nothing, or `block: false`, lets the call run. */
export interface BeforeToolCallResult {
  /** The tool is not executed; the call gets an error result. */
  block?: boolean;
  /** Text of that error result. */
  reason?: string;
  /** Goes onto the blocked result, see {@link AgentToolResult.terminate}. */
  terminate?: boolean;
}

/** What `afterToolCall` replaces in a result, field by field. What is left out stays. */
export interface AfterToolCallResult {
  content?: (TextContent | ImageContent)[];
  details?: unknown;
  /** Left out while `content` is replaced: the structured content is dropped, since it may no longer match. */
  structuredContent?: JsonValue;
  isError?: boolean;
  usage?: Usage;
  terminate?: boolean;
}

/** A tool call that is about to run. */
export interface BeforeToolCallContext {
  assistantMessage: AssistantMessage;
  /** The call as the model made it. */
  toolCall: AgentToolCall;
  /** Validated arguments. Changed in place, they reach the tool as changed. */
  args: unknown;
  context: AgentContext;
}

/** A tool call that has run. */
export interface AfterToolCallContext extends BeforeToolCallContext {
  result: AgentToolResult<any>;
  isError: boolean;
}

/** A turn whose response and tool results are in the transcript. */
export interface AgentTurnContext {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  context: AgentContext;
  /** What the run has added so far. */
  newMessages: AgentMessage[];
}

/** {@inheritDoc AgentTurnContext} */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a name of pi's API
export interface PrepareNextTurnContext extends AgentTurnContext {}

/** Go on with another request, or end the run here; `reason` then stands in `agent_end.reason`. */
export type AgentTurnDecision = { action: "continue" } | { action: "end"; reason?: string };

/** Decides about the run between the tool results and `turn_end`. Not asked of error and aborted responses: they end it. */
export type ReactiveFinishTurn = (
  turn: AgentTurnContext,
  signal?: AbortSignal,
) => HookOutput<AgentTurnDecision | undefined> | HookOutput<void>;

/** What changes for the next turn. */
export interface ReactiveTurnUpdate {
  context?: AgentContextInit;
  /** Added to the transcript at the start of the turn, with their events. */
  messages?: AgentMessage[];
  model?: Model<any>;
  thinkingLevel?: ThinkingLevel;
}

/** What the next request would be made of. */
export interface PrepareRequestContext {
  context: AgentContext;
  model: Model<any>;
  thinkingLevel: ThinkingLevel;
}

/** What changes for this request and those after it. */
export type ReactiveRequestUpdate = Omit<ReactiveTurnUpdate, "messages">;

/** Called before every request, after pending messages were committed. */
export type ReactivePrepareRequest = (
  request: PrepareRequestContext,
  signal?: AbortSignal,
) => HookOutput<ReactiveRequestUpdate | undefined> | HookOutput<void>;

/** One request to a model. */
export interface ModelRequest {
  model: Model<Api>;
  context: TranscriptContext;
  options: SimpleStreamOptions;
}

/** Default conversion signature of `convertToLlm`. */
export type ConvertToLlm = (messages: AgentMessage[]) => HookOutput<Message[]>;
