import { entriesOf, type Log } from "../log";
import { runsOf } from "./run";

/** I9: after everything that failed or was aborted, one more prompt works, for the same listeners and observers. */
export function theAgentStaysUsable(log: Log): string | undefined {
  const last = runsOf(log).at(-1);
  if (last?.settled !== "resolved") return `the last prompt ${last?.settled ?? "never settled"}`;
  const end = last.events.at(-1);
  const outcome = (end?.event as { outcome?: string } | undefined)?.outcome;
  if (end?.type !== "agent_end" || outcome !== "completed")
    return `the last prompt ended with ${end?.type} ${outcome}`;
  const final = entriesOf(log, "final")[0];
  if (final?.state.isStreaming || final?.state.error !== null)
    return "the agent is not at rest after the last prompt";
  const seen = last.entries.filter((entry) => entry.kind === "observed" && entry.observer === 0).length;
  return seen === last.events.length ? undefined : `observers saw ${seen} of ${last.events.length} events`;
}
