import { concat, concatMap, defer, of, repeat, tap, type Observable } from "rxjs";
import { hop } from "../internal/hop";
import { say } from "../internal/say";
import { unlessAborted } from "../internal/unlessAborted";
import { schedule, type NextTurn } from "../stages/schedule";
import type { AgentEvent } from "../types/event";
import { agentEnd } from "./agentEnd";
import { loopRun, type LoopInput, type LoopRun } from "./loopRun";
import { turn } from "./turn";
import { updateRun } from "./updateRun";

// Prepared messages come before queued ones, as the hook saw the transcript without them.
function begin(run: LoopRun, { update, queued }: NextTurn): void {
  if (update) updateRun(run, update);
  run.pending = [...(update?.messages ?? []), ...queued.messages];
}

function nextTurn(run: LoopRun): Observable<unknown> {
  const { config, control } = run;
  return of({ turn: run.turn!, hasToolResults: run.hasToolResults, decision: run.decision }).pipe(
    schedule({ ...config, control, onTaken: (taken) => (run.taken = taken) }),
    // One hop a turn, or synchronous turns would grow the stack.
    concatMap((next) => concat(hop(), of(next))),
    unlessAborted(control),
    tap((next) => begin(run, next)),
  );
}

function giveBack({ taken, config }: LoopRun): void {
  if (taken && taken.messages.length > 0) config.onUndelivered?.(taken.messages, taken.queue);
}

/**
 * A whole run: `agent_start`, turns for as long as there is a next one, `agent_end`.
 *
 * @remarks `agent_start` is synchronous; the first turn begins one microtask later. Fails when a hook or the gate fails,
 * without `agent_end`; what left a queue and did not reach the transcript is given back first.
 */
export function runLoop(input: LoopInput): Observable<AgentEvent> {
  return defer(() => {
    const run = loopRun(input);
    const undelivered = () => {
      giveBack(run);
      run.taken = undefined;
    };
    return concat(
      say(run.gate, () => ({ type: "agent_start" })),
      hop(),
      defer(() => turn(run)).pipe(repeat({ delay: () => nextTurn(run) })),
      defer(() => {
        undelivered();
        return say(run.gate, () => agentEnd(run));
      }),
    ).pipe(tap({ error: undelivered, unsubscribe: undelivered }));
  });
}
