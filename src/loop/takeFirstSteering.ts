import type { Steps } from "../internal/steps";
import { takeQueued } from "../internal/takeQueued";
import type { LoopRun } from "./loopRun";
import { stageDeps } from "./stageDeps";

/** Takes the steering messages that came before the first request. */
export function* takeFirstSteering(run: LoopRun): Steps {
  if (run.control.signal.aborted) return;
  run.pending = (yield* takeQueued(stageDeps(run), "steering")).messages;
}
