import { teller } from "../internal/teller";
import { tellMessage } from "../internal/tellMessage";
import { stage, type EventStage } from "../internal/stage";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { AgentMessage } from "../types/messages";

/** What {@link commitMessages} needs. */
export interface CommitMessagesDeps {
  gate: Gate;
}

/**
 * Tells of messages that are complete: each one's `message_start` and `message_end`.
 *
 * @remarks First in a turn, for prompts and queued messages. In order; the next message starts when the gate has passed the
 * last.
 */
export function commitMessages({ gate }: CommitMessagesDeps): EventStage<AgentMessage, AgentEvent> {
  return stage<EventStage<AgentMessage, AgentEvent>>((message, emit) =>
    tellMessage(teller(gate, emit), message),
  );
}
