import type { Entry, EventEntry, Log } from "../log";

/** One run as the witness saw it: everything from the call that began it to the settling of that call. */
export interface Run {
  /** The call that began it. */
  step: number;
  entries: Log;
  /** What the first listener was shown. */
  events: EventEntry[];
  /** How the call ended: `resolved`, `rejected: …`, or undefined when it never did. */
  settled: string | undefined;
}

/** The listener that is subscribed before everything else, stays, and never fails. */
export const WITNESS = 0;

const isStart = (entry: Entry): boolean =>
  entry.kind === "event" && entry.listener === WITNESS && entry.type === "agent_start";

/** The runs of a log, each from the call that began it. A call that was refused begins none. */
export function runsOf(log: Log): Run[] {
  const runs: Run[] = [];
  let step = 0;
  let called: Log = [];
  let current: Run | undefined;
  for (const entry of log) {
    if (entry.kind === "step" && entry.phase === "begins") {
      step = entry.nth;
      called = [];
    }
    if (isStart(entry)) runs.push((current = { step, entries: called, events: [], settled: undefined }));
    (current?.entries ?? called).push(entry);
    if (!current) continue;
    if (entry.kind === "event" && entry.listener === WITNESS) current.events.push(entry);
    if (entry.kind === "step" && entry.phase === "settled") {
      current.settled = entry.outcome;
      current = undefined;
      called = [];
    }
  }
  return runs;
}
