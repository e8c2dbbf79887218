import type { Entry, Log } from "../log";
import { runsOf, type Run } from "./run";

/** Waits of a script end on their own lane's next millisecond, at most this much later. */
const LANES = 32;

/** How long listeners were waited for from `start` on. */
function waits(entries: Entry[], start: number): number {
  const since = new Map<number, number>();
  let sum = 0;
  for (const entry of entries) {
    if (entry.kind === "event") since.set(entry.listener, entry.at);
    if (entry.kind !== "heard" || entry.at < start) continue;
    sum += entry.at - Math.max(start, since.get(entry.listener) ?? start);
  }
  return sum;
}

function complaintOf(run: Run, graceMs: number): string | undefined {
  const abort = run.entries.find((entry) => entry.kind === "action" && entry.action.do === "abort");
  const last = run.entries.at(-1);
  if (!abort || !last || run.settled === undefined) return undefined;
  const spent = last.at - abort.at - waits(run.entries, abort.at);
  return spent > graceMs + LANES ? `step ${run.step} took ${spent} ms to settle after its abort` : undefined;
}

/** An aborted run settles within its grace, but for the listeners, who are waited for however long. */
export function abortsAreBounded(graceMs: number): (log: Log) => string | undefined {
  return function abortsAreBounded(log) {
    return runsOf(log)
      .map((run) => complaintOf(run, graceMs))
      .find((complaint) => complaint !== undefined);
  };
}
