import type { ImageContent, JsonValue, TextContent, Tool, Usage } from "@earendil-works/pi-ai";
import type { Static } from "@earendil-works/pi-schema";
import type { Observable } from "rxjs";
import type { AgentToolCall } from "./messages";

/**
 * Whether the calls of one assistant message run one after another or together.
 *
 * @remarks In both modes preflight (lookup, validation, `beforeToolCall`) is serial and in source order. `"parallel"`
 * then starts every allowed tool; each ends on its own, and the result messages follow in source order.
 *
 * @defaultValue `"parallel"`
 */
export type ToolExecutionMode = "sequential" | "parallel";

/** What a tool gives back, for an update in between as well as for the end. */
export interface AgentToolResult<T = JsonValue | undefined> {
  /** What the model reads. */
  content: (TextContent | ImageContent)[];
  /** Anything an app wants to log or draw. */
  details: T;
  /** The result as data, as the tool's `outputSchema` describes it. Programs read it, the model does not. */
  structuredContent?: JsonValue;
  /** Tokens and cost of the tool's own model calls. */
  usage?: Usage;
  /** The call failed, without throwing: the model sees an error result, `details` stay. */
  isError?: boolean;
  /** Asks to stop after this batch; it stops when every result of the batch asks for it. */
  terminate?: boolean;
}

/** A result whose `details` nobody looks into. */

export type AnyToolResult = AgentToolResult<any>;

/** How a tool call ended, hooks included. */
export interface AgentToolCallOutcome {
  toolCall: AgentToolCall;
  result: AnyToolResult;
  isError: boolean;
  /** How long `execute` took, in ms of a monotonic clock; absent when it did not run. */
  durationMs?: number;
}

/** Reports an update of a running tool. Calls after the tool has settled are ignored. */
export type AgentToolUpdateCallback<T = any> = (partialResult: AgentToolResult<T>) => void;

/** What a tool may return: a result, a promise of one, or a stream: each value is an update, the last is the result. */
export type AgentToolOutput<T = any> =
  | AgentToolResult<T>
  | PromiseLike<AgentToolResult<T>>
  | Observable<AgentToolResult<T>>
  | AsyncIterable<AgentToolResult<T>>;

// `any` alone both takes everything and has keys.
type IsAny<T> = unknown extends T ? ([keyof T] extends [never] ? false : true) : false;

/** The argument type of a tool with this parameter schema: typed by pi-schema's builders, else `unknown`; `any` for `any`. */
export type AgentToolParams<TParameters> = IsAny<TParameters> extends true ? any : Static<TParameters>;

/**
 * A tool the agent can run.
 *
 * @remarks The third parameter is what `execute` returns: a promise as in pi, or see {@link ReactiveTool}.
 */
export interface AgentTool<
  TParameters extends object = object,
  TDetails = any,
  TOutput = Promise<AgentToolResult<TDetails>>,
> extends Tool<TParameters> {
  /** Name for people. */
  label: string;
  /** Mends raw arguments before they are validated. */
  prepareArguments?: (args: unknown) => AgentToolParams<TParameters>;
  /** JSON Schema of `structuredContent`. */
  outputSchema?: object;
  /**
   * Does the work. Throw, or return `isError: true`, when it fails.
   *
   * @remarks Contract: honour `signal`. After an abort the call has `abortGraceMs` to end; then the run goes on without it.
   */
  execute: (
    toolCallId: string,
    params: AgentToolParams<TParameters>,
    signal?: AbortSignal,
    onUpdate?: AgentToolUpdateCallback<TDetails>,
  ) => TOutput;
  /** Whether a call of unknown outcome may be run again after a crash. */
  replay?: "never" | "safe";
  /** Overrides the agent's mode: one `"sequential"` tool makes its whole batch sequential. */
  executionMode?: ToolExecutionMode;
}

/** A tool that may return a plain result, a promise, an observable or an async iterable. */
export type ReactiveTool<TParameters extends object = object, TDetails = any> = AgentTool<
  TParameters,
  TDetails,
  AgentToolOutput<TDetails>
>;

/** Any tool that the agent accepts. */
export type AnyAgentTool = ReactiveTool<any, any>;
