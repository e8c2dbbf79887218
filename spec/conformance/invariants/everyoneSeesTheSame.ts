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

/** What each listener and each observer was shown. */
function sightings(log: Log): { events: Map<string, string[]>; states: Map<string, string[]> } {
  const events = new Map<string, string[]>();
  const states = new Map<string, string[]>();
  const add = (seen: Map<string, string[]>, who: string, key: string) => {
    const keys = seen.get(who);
    if (keys) keys.push(key);
    else seen.set(who, [key]);
  };
  for (const entry of log) {
    if (entry.kind === "event") add(events, `listener ${entry.listener}`, keyOf(entry.event));
    if (entry.kind !== "observed") continue;
    if (entry.of === "state") add(states, `observer ${entry.observer}`, JSON.stringify(entry.value));
    else
      add(
        events,
        `${entry.of === "run" ? "the watcher of run" : "observer"} ${entry.observer}`,
        keyOf(entry.value),
      );
  }
  return { events, states };
}

/** Who came later sees the last of what the first one saw. */
function differentStates(states: Map<string, string[]>): string | undefined {
  const [first, ...others] = [...states];
  const all = first?.[1] ?? [];
  for (const [who, seen] of others) {
    const missed = all.length - seen.length;
    const at = missed < 0 ? 0 : seen.findIndex((state, n) => state !== all[missed + n]);
    if (at >= 0)
      return `${who} of state$ saw ${seen.length} snapshots, not the last of ${all.length}: another at ${at}`;
  }
  return undefined;
}

/** I7: everyone sees the same events in the same order; who came late or left early sees a stretch of them, without a gap. */
export function everyoneSeesTheSame(log: Log): string | undefined {
  const { events, states } = sightings(log);
  const all = events.get(`listener ${WITNESS}`) ?? [];
  const whole = `\n${all.join("\n")}\n`;
  for (const [who, seen] of events) {
    if (!whole.includes(`\n${seen.join("\n")}\n`))
      return `${who} saw another order:\n${seen.join("\n")}\nnot ${whole}`;
    if (who.startsWith("observer") && seen.length !== all.length)
      return `${who} saw ${seen.length} of ${all.length}`;
  }
  return differentStates(states);
}
