import type { AgentEvent } from "../../types/event";
import type { AgentToolCall } from "../../types/messages";
import type { AgentToolCallOutcome, AnyToolResult } from "../../types/tool";

const named = ({ id, name }: AgentToolCall) => ({ toolCallId: id, toolName: name });

/** The events of one tool call. */
export const callEvent = {
  start: (call: AgentToolCall): AgentEvent => ({
    type: "tool_execution_start",
    ...named(call),
    args: call.arguments,
  }),
  update: (call: AgentToolCall, partialResult: AnyToolResult): AgentEvent => ({
    type: "tool_execution_update",
    ...named(call),
    args: call.arguments,
    partialResult,
  }),
  end: ({ toolCall, result, isError, durationMs }: AgentToolCallOutcome): AgentEvent => ({
    type: "tool_execution_end",
    ...named(toolCall),
    result,
    isError,
    ...(durationMs === undefined ? {} : { durationMs }),
  }),
};
