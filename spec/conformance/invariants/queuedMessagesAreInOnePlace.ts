import type { ActionEntry, Log, RestEntry } from "../log";
import { WITNESS } from "./run";
import { messageIn, stampOf } from "./shape";

interface Item {
  stamp: number;
  cleared: boolean;
}

type Queue = "steering" | "followUp";

const stamp = (name: string): number => stampOf(name) ?? 0;

class Ledger {
  private readonly queued: Record<Queue, Item[]> = {
    steering: [],
    followUp: [],
  };
  private readonly committed: number[] = [];

  act({ action, outcome }: ActionEntry): void {
    if (action.do === "steer" || action.do === "followUp") {
      const queue = action.do === "steer" ? this.queued.steering : this.queued.followUp;
      queue.push({ stamp: stamp(String(outcome)), cleared: false });
    }
    const reset = action.do === "reset" && outcome === null;
    if (action.do === "clearSteering" || action.do === "clearAll" || reset) this.clear("steering");
    if (action.do === "clearFollowUp" || action.do === "clearAll" || reset) this.clear("followUp");
  }

  commit(timestamp: number): void {
    this.committed.push(timestamp);
  }

  private clear(queue: Queue): void {
    for (const item of this.queued[queue]) item.cleared = true;
  }

  complaint(rest: RestEntry): string | undefined {
    return this.misplaced("steering", rest.steering ?? []) ?? this.misplaced("followUp", rest.followUp ?? []);
  }

  private misplaced(queue: Queue, left: string[]): string | undefined {
    const all = this.queued[queue];
    const known = new Set(all.map((item) => item.stamp));
    const found = [...this.committed.filter((at) => known.has(at)), ...left.map(stamp)];
    if (accountsFor(all, found)) return undefined;
    const queued = all.map((item) => `${item.stamp}${item.cleared ? " (cleared)" : ""}`);
    return `${queue}: queued ${queued.join(", ")}, found ${found.join(", ")}`;
  }
}

/** Whether `found` is what was queued, in order and without more than cleared messages missing. Twins look alike. */
function accountsFor(queued: readonly Item[], found: readonly number[]): boolean {
  const [first, ...others] = queued;
  if (!first) return found.length === 0;
  if (found[0] === first.stamp && accountsFor(others, found.slice(1))) return true;
  return first.cleared && accountsFor(others, found);
}

/**
 * I6: whenever the agent rests, a queued message is in the queue or in the transcript, once, in the order of queueing;
 * only one that was cleared may be in neither.
 */
export function queuedMessagesAreInOnePlace(log: Log): string | undefined {
  const ledger = new Ledger();
  for (const entry of log) {
    if (entry.kind === "action") ledger.act(entry);
    if (entry.kind === "event" && entry.listener === WITNESS && entry.type === "message_end") {
      ledger.commit(messageIn(entry)?.timestamp ?? 0);
    }
    if (entry.kind !== "rest") continue;
    const complaint = ledger.complaint(entry);
    if (complaint) return `${complaint}, after step ${entry.after}`;
  }
  return undefined;
}
