import { entriesOf, type Log } from "../log";
import { WITNESS } from "./run";
import { brief } from "./shape";

/** I2: exactly one `agent_start` and one `agent_end` a run, and nothing after it. */
export function everyRunStartsAndEndsOnce(log: Log): string | undefined {
  let running = false;
  for (const entry of entriesOf(log, "event")) {
    if (entry.listener !== WITNESS) continue;
    if ((entry.type === "agent_start") === running)
      return `${brief(entry)} ${running ? "inside" : "outside"} a run`;
    if (entry.type === "agent_start") running = true;
    if (entry.type === "agent_end") running = false;
  }
  return running ? "the last run has no agent_end" : undefined;
}
