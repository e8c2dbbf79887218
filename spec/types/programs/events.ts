// A program for pi: a listener that knows every event there is.
import type { Agent, AgentEvent, AgentMessage } from "@earendil-works/pi-agent-core";
import type { AssistantMessageEvent, ToolResultMessage } from "@earendil-works/pi-ai";

declare const agent: Agent;

/** Exhaustive: a new event type, or a missing one, does not compile. */
export function line(event: AgentEvent): string {
  switch (event.type) {
    case "agent_start":
    case "turn_start":
      return event.type;
    case "agent_end": {
      const messages: AgentMessage[] = event.messages;
      return `${messages.length} messages`;
    }
    case "turn_end": {
      const results: ToolResultMessage[] = event.toolResults;
      return `${event.message.role} ${results.map(({ toolName, isError }) => `${toolName}:${isError}`).join()}`;
    }
    case "message_start":
    case "message_end":
      return event.message.role === "assistant" ? event.message.stopReason : event.message.role;
    case "message_update": {
      const update: AssistantMessageEvent = event.assistantMessageEvent;
      return update.type === "text_delta" || update.type === "thinking_delta" ? update.delta : update.type;
    }
    case "tool_execution_start":
      return `${event.toolCallId} ${event.toolName} ${event.args.path}`;
    case "tool_execution_update":
      return `${event.args.path} ${event.partialResult.content[0].text}`;
    case "tool_execution_end": {
      const { result, isError, durationMs = 0 } = event;
      return `${result.details.size} ${isError} ${durationMs.toFixed()}`;
    }
    default: {
      const none: never = event;
      return none;
    }
  }
}

const leave: () => void = agent.subscribe(async (event, signal) => {
  if (event.type === "agent_end" && !signal.aborted) await Promise.resolve(line(event));
});
leave();
agent.subscribe((event: AgentEvent) => void line(event));
agent.subscribe(() => {});

export const made: AgentEvent[] = [
  { type: "agent_start" },
  { type: "agent_end", messages: [] },
  { type: "turn_start" },
  { type: "tool_execution_start", toolCallId: "call", toolName: "read", args: { path: "a" } },
  { type: "tool_execution_end", toolCallId: "call", toolName: "read", result: {}, isError: false },
];

export type Ends = Extract<AgentEvent, { type: "message_end" | "turn_end" }>;
export const endRole = (event: Ends): string => event.message.role;

// @ts-expect-error -- no such event
made.push({ type: "agent_pause" });
// @ts-expect-error -- an end without its messages
made.push({ type: "agent_end" });
// @ts-expect-error -- a listener of something else
agent.subscribe((text: string) => void text);
