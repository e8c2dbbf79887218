import { entriesOf, type Log } from "../log";
import { runsOf } from "./run";
import { messageIn, stampOf } from "./shape";

/** The messages of a prompt reach the transcript first of all, whatever happens to its run; unless a listener fails. */
export function promptsAreCommitted(log: Log): string | undefined {
  const prompts = entriesOf(log, "step").filter(({ phase }) => phase === "begins");
  for (const run of runsOf(log)) {
    if (run.entries.some((entry) => entry.kind === "heard" && entry.failed)) continue;
    const wanted = (prompts.find(({ nth }) => nth === run.step)?.outcome.split(" ") ?? []).flatMap(
      (n) => stampOf(n) ?? [],
    );
    const committed = run.events
      .filter(({ type }) => type === "message_end")
      .map((entry) => messageIn(entry)?.timestamp);
    const lost = wanted.find((timestamp) => !committed.includes(timestamp));
    if (lost !== undefined) return `message ${lost} of step ${run.step} did not reach the transcript`;
  }
  return undefined;
}
