import type { HeardEntry, Log } from "../log";
import { runsOf, type Run } from "./run";
import { answerIn } from "./shape";

function failuresIn(run: Run): HeardEntry[] {
  return run.entries.filter((entry): entry is HeardEntry => entry.kind === "heard" && entry.failed);
}

/** Something else had gone wrong in the run, so that a listener's failure may not be the first. */
function otherwiseInTrouble(run: Run): boolean {
  const badAnswer = run.events.filter((entry) =>
    ["error", "aborted"].includes(answerIn(entry)?.stopReason ?? ""),
  );
  const ownAnswer = badAnswer.filter((entry) => !answerIn(entry)?.errorMessage?.includes("listener"));
  const aborted = run.entries.some((entry) => entry.kind === "action" && entry.action.do === "abort");
  return ownAnswer.length > 0 || aborted;
}

function complaintOf(run: Run): string | undefined {
  const failures = failuresIn(run);
  const settled = run.settled ?? "nothing";
  const where = `step ${run.step}, settled ${settled}`;
  if (failures.length === 0)
    return settled === "resolved" ? undefined : `${where}, without a listener's failure`;
  const late = failures.filter(({ type }) => type === "agent_end");
  if (late.length === failures.length) {
    return settled.includes("on agent_end") ? undefined : `${where}: agent_end listeners failed`;
  }
  if (settled !== "resolved" && !settled.includes("listener")) return `${where}, with something else`;
  if (failures.length > 1 || otherwiseInTrouble(run)) return undefined;
  return settled === "resolved" ? undefined : `${where}: one failure, told by the run already`;
}

/**
 * A listener's failure fails the run once, and `prompt()` resolves; one on `agent_end`, or while a failure is being told,
 * rejects it. Nothing else ever rejects a run that began.
 */
export function listenerFailuresAreContained(log: Log): string | undefined {
  for (const run of runsOf(log)) {
    // Who left a run is told nothing more of it.
    const complaint = run.settled === undefined || run.settled === "left" ? undefined : complaintOf(run);
    if (complaint) return complaint;
  }
  return undefined;
}
