import type { AgentEvent } from "../../types/event";
import type { AgentToolCall } from "../../types/messages";
import type { AgentToolCallOutcome, AnyToolResult } from "../../types/tool";

/** The events of one tool call. */
export const callEvent = {
  start: ({ id, name, arguments: args }: AgentToolCall): AgentEvent => ({
    type: "tool_execution_start",
    toolCallId: id,
    toolName: name,
    args,
  }),
  update: ({ id, name, arguments: args }: AgentToolCall, partialResult: AnyToolResult): AgentEvent => ({
    type: "tool_execution_update",
    toolCallId: id,
    toolName: name,
    args,
    partialResult,
  }),
  end: ({ toolCall, result, isError, durationMs }: AgentToolCallOutcome): AgentEvent => ({
    type: "tool_execution_end",
    toolCallId: toolCall.id,
    toolName: toolCall.name,
    result,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  }),
};
