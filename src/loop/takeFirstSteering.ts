import type { Steps } from "../internal/steps";
import { takeQueued } from "../internal/takeQueued";
import type { LoopRun } from "./loopRun";

/** Takes the steering messages that came before the first request. */
export function* takeFirstSteering(run: LoopRun): Steps {
  const { config, control } = run;
  if (control.signal.aborted) return;
  const deps = { ...config, control, onTaken: (taken: LoopRun["taken"]) => (run.taken = taken) };
  run.pending = (yield* takeQueued(deps, "steering")).messages;
}
