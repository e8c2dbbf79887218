import { map, type OperatorFunction } from "rxjs";
import { toolAnnouncer } from "../internal/toolAnnouncer";
import type { AgentContextInit } from "../types/context";
import type { AgentMessage } from "../types/messages";

/** What {@link announceTools} needs. */
export interface AnnounceToolsDeps {
  /** The transcript so far and the tools that can be executed. */
  context: () => AgentContextInit;
}

/**
 * Tells the model of a changed tool set: before messages are committed, the difference between the tools that can be
 * executed and those the transcript declares goes into their last system message, or into a new one before them.
 *
 * @remarks Between the queues and the commit of a turn. One array in, one array out.
 */
export function announceTools({
  context,
}: AnnounceToolsDeps): OperatorFunction<AgentMessage[], AgentMessage[]> {
  return map(toolAnnouncer(context));
}
