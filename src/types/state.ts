import type { Model } from "@earendil-works/pi-ai";
import type { AgentMessage, ThinkingLevel } from "./messages";
import type { AgentTool, AnyAgentTool } from "./tool";

/** The live state of an agent. `tools` and `messages` copy the array they are assigned. */
export interface AgentState {
  /** The current prompt, as the transcript's system messages give it. */
  readonly systemPrompt: string;
  /** Model of the next run. */
  model: Model<any>;
  /** Thinking level of the next run. */
  thinkingLevel: ThinkingLevel;
  /** What the next run can execute. */
  set tools(tools: AnyAgentTool[]);
  get tools(): AgentTool<any>[];
  /** The transcript. */
  set messages(messages: AgentMessage[]);
  get messages(): AgentMessage[];
  /** True from `prompt()` until the run has settled, `agent_end` listeners included. */
  readonly isStreaming: boolean;
  /** The message between its `message_start` and its `message_end`. */
  readonly streamingMessage?: AgentMessage;
  /** Ids of the tool calls between their start and their end. */
  readonly pendingToolCalls: ReadonlySet<string>;
  /** What the last run failed of, or that it was aborted. */
  readonly errorMessage?: string;
}

/** Both queues of an agent, oldest first. */
export interface AgentQueues {
  readonly steering: readonly AgentMessage[];
  readonly followUp: readonly AgentMessage[];
}

/** An immutable picture of an agent's state. Pictures share what did not change. */
export interface AgentSnapshot {
  readonly systemPrompt: string;
  readonly model: Model<any>;
  readonly thinkingLevel: ThinkingLevel;
  readonly tools: readonly AgentTool<any>[];
  readonly messages: readonly AgentMessage[];
  readonly isStreaming: boolean;
  readonly streamingMessage?: AgentMessage;
  readonly pendingToolCalls: ReadonlySet<string>;
  readonly errorMessage?: string;
  readonly queued: AgentQueues;
}

/** What an agent starts with. `systemPrompt` and `tools` make the leading system message, unless `messages` has one. */
export type ReactiveInitialState = Partial<
  Omit<AgentState, "pendingToolCalls" | "isStreaming" | "streamingMessage" | "errorMessage" | "tools">
> & { tools?: AnyAgentTool[] };
