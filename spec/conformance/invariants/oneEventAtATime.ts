import type { Log } from "../log";

/**
 * One lane (design rule 4): no listener is told an event while a listener still waits on an earlier one. Listeners that
 * joined in the middle are left out, since their count of events says nothing about which event it is.
 */
export function oneEventAtATime(log: Log): string | undefined {
  const first = log.findIndex((entry) => entry.kind === "event");
  const joined = new Set<number>();
  const counts = new Map<number, number>();
  const busy = new Map<number, number>();
  for (const [at, entry] of log.entries()) {
    if (entry.kind === "heard") busy.delete(entry.listener);
    if (entry.kind !== "event") continue;
    if (at === first || (log[first] as { type?: string }).type === entry.type) joined.add(entry.listener);
    if (!joined.has(entry.listener)) continue;
    const count = (counts.get(entry.listener) ?? 0) + 1;
    counts.set(entry.listener, count);
    for (const [listener, other] of busy) {
      if (other < count)
        return `listener ${entry.listener} was told ${entry.type} at ${entry.at}, ${listener} was not done`;
    }
    busy.set(entry.listener, count);
  }
  return undefined;
}
