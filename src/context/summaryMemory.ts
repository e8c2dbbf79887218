import type { AgentMessage } from "../types/messages";
import { provenance } from "./provenance";

/** What stands for the oldest part of a transcript. */
export interface Summary {
  /** The transcript's messages that it stands for. */
  covered: readonly AgentMessage[];
  /** Those of them that its text tells of; a summary that failed tells of no more than the one before. */
  told: readonly AgentMessage[];
  /** The message in their place; none before the first summary that was written. */
  message?: AgentMessage;
  /** How many tokens the request took with it, when it was new. */
  left: number;
}

/**
 * Remembers the summaries of transcripts by the messages they cover.
 *
 * @remarks Holds nothing alive but what its transcripts do, and keeps those of several agents apart. A summary counts only
 * while the transcript has all the messages that it covers.
 */
export function summaryMemory() {
  const byNewest = new WeakMap<AgentMessage, Summary>();
  return {
    find(messages: readonly AgentMessage[]): Summary | undefined {
      const origins = messages.map(provenance.originOf);
      const present = new Set(origins);
      const found = origins.findLast((message) =>
        byNewest.get(message)?.covered.every((covered) => present.has(covered)),
      );
      return found && byNewest.get(found);
    },
    keep(summary: Summary): void {
      byNewest.set(summary.covered.at(-1)!, summary);
    },
    /** The messages with the summary in the place of what it covers. */
    apply(messages: AgentMessage[], { covered, message }: Omit<Summary, "left">): AgentMessage[] {
      const gone = new Set(covered);
      const isGone = (item: AgentMessage) => gone.has(provenance.originOf(item));
      const first = messages.findIndex(isGone);
      return messages.flatMap((item, index) => {
        if (!isGone(item)) return [item];
        return index === first && message ? [message] : [];
      });
    },
  };
}
