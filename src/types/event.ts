import type { AssistantMessageEvent, ToolResultMessage } from "@earendil-works/pi-ai";
import type { AgentMessage } from "./messages";

/** How a run ended. A failure outranks an abort, an abort outranks a stop. */
export type AgentOutcome = "completed" | "stopped" | "aborted" | "failed";

/**
 * What a run reports, in order: `agent_start`, turns, `agent_end`. A turn is `turn_start`, messages, tool executions,
 * `turn_end`.
 *
 * @remarks The fields of an event, and of its message, do not change once it was shown. The nested content of a message
 * that is still streaming is live.
 */
export type AgentEvent =
  | { type: "agent_start" }
  | {
      type: "agent_end";
      /** The messages that this run added. */
      messages: AgentMessage[];
      /** Set by every run of this library; optional so that events built for pi still fit. */
      outcome?: AgentOutcome;
      /** The limit that stopped the run, or what was given to `abort(reason)`. */
      reason?: unknown;
    }
  | { type: "turn_start" }
  | { type: "turn_end"; message: AgentMessage; toolResults: ToolResultMessage[] }
  | { type: "message_start"; message: AgentMessage }
  | { type: "message_update"; message: AgentMessage; assistantMessageEvent: AssistantMessageEvent }
  | { type: "message_end"; message: AgentMessage }
  | { type: "tool_execution_start"; toolCallId: string; toolName: string; args: any }
  | { type: "tool_execution_update"; toolCallId: string; toolName: string; args: any; partialResult: any }
  | {
      type: "tool_execution_end";
      toolCallId: string;
      toolName: string;
      result: any;
      isError: boolean;
      /** How long `execute` took, in ms of a monotonic clock; absent when it did not run. */
      durationMs?: number;
    };
