import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";

/** What an event changes in the state of an agent. */
export interface StateChange {
  /** The message that is being told now, `null` for none. */
  streamingMessage?: AgentMessage | null;
  /** Joins the transcript. */
  committed?: AgentMessage;
  /** Id of a tool call that has started. */
  started?: string;
  /** Id of a tool call that has ended. */
  ended?: string;
  errorMessage?: string;
}

type Reducers = {
  [T in AgentEvent["type"]]?: (event: Extract<AgentEvent, { type: T }>) => StateChange | undefined;
};

const REDUCERS: Reducers = {
  message_start: ({ message }) => ({ streamingMessage: message }),
  message_update: ({ message }) => ({ streamingMessage: message }),
  message_end: ({ message }) => ({ streamingMessage: null, committed: message }),
  tool_execution_start: ({ toolCallId }) => ({ started: toolCallId }),
  tool_execution_end: ({ toolCallId }) => ({ ended: toolCallId }),
  turn_end: ({ message }) =>
    message.role === "assistant" && message.errorMessage ? { errorMessage: message.errorMessage } : undefined,
};

/** Tells what an event changes. Pure; undefined when it changes nothing. */
export function reducer(event: AgentEvent): StateChange | undefined {
  return (REDUCERS[event.type] as ((event: AgentEvent) => StateChange | undefined) | undefined)?.(event);
}
