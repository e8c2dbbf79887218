import type { AgentMessage } from "../types/messages";
import type { AgentQueues } from "../types/state";

/** What was there before: `agent.state`, a snapshot of `agent.state$`, or a stored transcript. */
export interface ConversationSeed {
  readonly messages: readonly AgentMessage[];
  readonly streamingMessage?: AgentMessage;
  readonly pendingToolCalls?: ReadonlySet<string>;
  readonly isStreaming?: boolean;
  readonly queued?: AgentQueues;
}
