import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentEvent, AgentMessage, AgentToolCall } from "pi-agent-rx";
import { assistant, output, toolResult } from "../../support/fixtures";

type Delta = Extract<AssistantMessageEvent, { delta: string }>["type"];

/** Events of a run, each made for one purpose. */
export const event = {
  runStart: { type: "agent_start" } as AgentEvent,
  runEnd: { type: "agent_end", messages: [], outcome: "completed" } as AgentEvent,
  turnStart: { type: "turn_start" } as AgentEvent,
  turnEnd: (message: AgentMessage = assistant("")): AgentEvent => ({
    type: "turn_end",
    message,
    toolResults: [],
  }),
  start: (message: AgentMessage): AgentEvent => ({ type: "message_start", message }),
  end: (message: AgentMessage): AgentEvent => ({ type: "message_end", message }),
  update: (
    partial: AssistantMessage,
    type: Delta = "text_delta",
    delta = "",
    contentIndex = 0,
  ): AgentEvent => ({
    type: "message_update",
    message: partial,
    assistantMessageEvent: { type, contentIndex, delta, partial },
  }),
  toolStart: ({ id, name, arguments: args }: AgentToolCall): AgentEvent => ({
    type: "tool_execution_start",
    toolCallId: id,
    toolName: name,
    args,
  }),
  toolUpdate: ({ id, name, arguments: args }: AgentToolCall, text: string): AgentEvent => ({
    type: "tool_execution_update",
    toolCallId: id,
    toolName: name,
    args,
    partialResult: output(text),
  }),
  toolEnd: ({ id, name }: AgentToolCall, text = "done", isError = false): AgentEvent => ({
    type: "tool_execution_end",
    toolCallId: id,
    toolName: name,
    result: output(text),
    isError,
    durationMs: 5,
  }),
  result: ({ id }: AgentToolCall, text = "done", isError = false): AgentEvent => ({
    type: "message_end",
    message: toolResult(id, text, isError),
  }),
};
