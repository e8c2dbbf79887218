import type { AgentMessage } from "../../types/messages";

/** What laws look at of any message. */
export interface BriefMessage {
  role: string;
  stopReason?: string;
  timestamp?: number;
  toolCallId?: string;
  /** The ids of its tool calls. */
  callIds: string[];
  /** It ended as error or aborted. */
  dead: boolean;
}

/** A message by the fields that laws look at. */
export function brief(message: AgentMessage): BriefMessage {
  const { role, stopReason, timestamp, toolCallId, content } = message as BriefMessage & {
    content?: unknown;
  };
  const blocks = role === "assistant" && Array.isArray(content) ? content : [];
  const callIds = (blocks as { type: string; id: string }[]).flatMap(({ type, id }) =>
    type === "toolCall" ? [id] : [],
  );
  const dead = stopReason === "error" || stopReason === "aborted";
  return { role, stopReason, timestamp, toolCallId, callIds, dead };
}
