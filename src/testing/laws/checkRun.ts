import type { AgentEvent } from "../../types/event";
import type { Recording, RecordingEntry } from "../Recording";
import { watchLaws } from "./watchLaws";

function entriesOf(run: Recording | readonly AgentEvent[]): readonly RecordingEntry[] {
  if ("version" in run) return run.entries;
  return run.map((event) => ({ kind: "event" as const, after: 0, event }));
}

/**
 * Holds a finished run, or several one after another, against the laws of the run contract.
 *
 * @param run - Events in the order in which they were told, or a recording, which shows more.
 * @throws LawViolation for the first law that is broken: `I1: turn_end while call_1 has no result`
 *
 * @example
 * ```ts
 * const fake = fakeModel(["Hello!"]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
 * const events: AgentEvent[] = [];
 * agent.subscribe((event) => void events.push(event));
 * await agent.prompt("Hi");
 * checkRun(events);
 * ```
 */
export function checkRun(run: Recording | readonly AgentEvent[]): void {
  const watch = watchLaws();
  for (const entry of entriesOf(run)) {
    const violation = watch.see(entry);
    if (violation) throw violation;
  }
  const violation = watch.end();
  if (violation) throw violation;
}
