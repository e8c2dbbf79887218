import type { EventEntry, Log, Plain } from "../log";
import { WITNESS } from "./run";
import { toolCallIdIn } from "./shape";

function keyOf(event: Plain): string {
  const entry = { event } as EventEntry;
  const told = event as {
    type: string;
    message?: { role: string; timestamp: number };
    assistantMessageEvent?: { type: string };
  };
  return [
    told.type,
    told.message?.role,
    told.message?.timestamp,
    told.assistantMessageEvent?.type,
    toolCallIdIn(entry),
  ].join(" ");
}

/** What each listener and each observer of `events$` was shown. */
function sightings(log: Log): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  const add = (who: string, event: Plain) => seen.set(who, [...(seen.get(who) ?? []), keyOf(event)]);
  for (const entry of log) {
    if (entry.kind === "event") add(`listener ${entry.listener}`, entry.event);
    if (entry.kind === "observed" && entry.of === "events") add(`observer ${entry.observer}`, entry.value);
  }
  return seen;
}

/** I7: everyone sees the same events in the same order; who came late or left early sees a stretch of them, without a gap. */
export function everyoneSeesTheSame(log: Log): string | undefined {
  const seen = sightings(log);
  const all = seen.get(`listener ${WITNESS}`) ?? [];
  const whole = `\n${all.join("\n")}\n`;
  for (const [who, events] of seen) {
    if (!whole.includes(`\n${events.join("\n")}\n`))
      return `${who} saw another order:\n${events.join("\n")}\nnot ${whole}`;
    if (who.startsWith("observer") && events.length !== all.length)
      return `${who} saw ${events.length} of ${all.length}`;
  }
  return undefined;
}
