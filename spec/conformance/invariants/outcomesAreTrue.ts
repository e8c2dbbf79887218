import type { Entry, Log } from "../log";
import { runsOf, WITNESS, type Run } from "./run";
import { answerIn } from "./shape";

function stopsIn(run: Run): string[] {
  return run.events
    .filter(({ type }) => type === "message_end")
    .flatMap((entry) => answerIn(entry)?.stopReason ?? []);
}

/** What happened before `agent_end` was told; what comes then is too late to be told. */
function beforeEnd(run: Run): Log {
  const end = run.entries.findIndex(
    (entry) => entry.kind === "event" && entry.listener === WITNESS && entry.type === "agent_end",
  );
  return run.entries.slice(0, end);
}

function before(run: Run, test: (entry: Entry) => boolean): boolean {
  return beforeEnd(run).some(test);
}

const isAbort = (entry: Entry): boolean => entry.kind === "action" && entry.action.do === "abort";
const isListenerFailure = (entry: Entry): boolean => entry.kind === "heard" && entry.failed;

/** The outcomes that a run may claim. A failure outranks an abort, an abort outranks the end that `finishTurn` chose. */
function allowed(run: Run): string[] {
  const stops = stopsIn(run);
  if (stops.includes("error") || before(run, isListenerFailure)) return ["failed"];
  if (before(run, isAbort)) return ["aborted"];
  if (stops.includes("aborted")) return ["aborted"];
  const decisions = run.entries.filter((entry) => entry.kind === "hook" && entry.hook === "finishTurn");
  return [(decisions.at(-1) as { act?: unknown } | undefined)?.act === "end" ? "stopped" : "completed"];
}

/** What the first abort of a run gave as its reason. */
function reasonOf(run: Run): unknown {
  const abort = beforeEnd(run).find(isAbort);
  return abort?.kind === "action" ? (abort.outcome ?? undefined) : undefined;
}

/** `agent_end.outcome` says how the run ended, and `agent_end.reason` what an abort gave. */
export function outcomesAreTrue(log: Log): string | undefined {
  for (const run of runsOf(log)) {
    const end = run.events.find(({ type }) => type === "agent_end");
    const { outcome, reason } = (end?.event ?? {}) as { outcome?: string; reason?: string };
    const right = allowed(run);
    if (end && !right.includes(outcome ?? ""))
      return `agent_end at ${end.at} says ${outcome}, not ${right.join(" or ")}`;
    if (outcome === "aborted" && reason !== reasonOf(run)) {
      return `aborted at ${end?.at} for ${reason}, not for ${String(reasonOf(run))}`;
    }
  }
  return undefined;
}
