import type { Log } from "../log";
import { runsOf, WITNESS } from "./run";
import { answerIn, callIdsOf, messageIn } from "./shape";

class Open {
  private readonly counts = new Map<string, number>();

  add(id: string): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  take(id: string): boolean {
    const count = this.counts.get(id) ?? 0;
    if (count === 1) this.counts.delete(id);
    else this.counts.set(id, count - 1);
    return count > 0;
  }

  get ids(): string[] {
    return [...this.counts.keys()];
  }
}

/**
 * I1: every tool call of a committed assistant message gets exactly one result, before the next request and before any
 * other message; calls in an aborted or errored message get none.
 */
export function everyCallHasOneResult(log: Log): string | undefined {
  for (const { entries } of runsOf(log)) {
    const open = new Open();
    for (const entry of entries) {
      if (entry.kind === "request" && open.ids.length > 0)
        return `request ${entry.nth} while ${open.ids} are open`;
      if (entry.kind !== "event" || entry.listener !== WITNESS) continue;
      if (entry.type === "agent_end" && open.ids.length > 0)
        return `the run ended at ${entry.at}, ${open.ids} are open`;
      const message = entry.type === "message_end" ? messageIn(entry) : undefined;
      if (!message) continue;
      if (message.role === "toolResult") {
        if (!open.take(message.toolCallId ?? ""))
          return `a result of ${message.toolCallId} without a call, at ${entry.at}`;
        continue;
      }
      if (open.ids.length > 0)
        return `a ${message.role} message between ${open.ids} and the results, at ${entry.at}`;
      const stop = answerIn(entry)?.stopReason;
      if (stop !== undefined && stop !== "error" && stop !== "aborted")
        callIdsOf(message).forEach((id) => open.add(id));
    }
  }
  return undefined;
}
