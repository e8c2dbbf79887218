import { defer, EMPTY, ignoreElements, tap, type Observable } from "rxjs";
import { endedByAbort } from "../internal/endedByAbort";
import { fromHook } from "../internal/fromHook";
import { untilDeadline } from "../internal/untilDeadline";
import type { LoopRun } from "./loopRun";

/** Takes the steering messages that came before the first request. */
export function takeFirstSteering(run: LoopRun): Observable<never> {
  const { config, control } = run;
  const poll = config.getSteeringMessages;
  if (!poll) return EMPTY;
  return defer(() => (control.signal.aborted ? EMPTY : fromHook("getSteeringMessages", poll))).pipe(
    tap((messages) => {
      run.pending = messages ?? [];
      run.taken = { queue: "steering", messages: run.pending };
    }),
    untilDeadline(control),
    endedByAbort(control),
    ignoreElements(),
  );
}
