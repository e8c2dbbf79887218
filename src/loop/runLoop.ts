import type { Observable } from "rxjs";
import { hop } from "../internal/hop";
import { steps, type Emit, type Steps } from "../internal/steps";
import { teller } from "../internal/teller";
import { schedule, type EndedTurn, type NextTurn } from "../stages/schedule";
import type { AgentEvent } from "../types/event";
import { agentEnd } from "./agentEnd";
import { loopRun, type LoopInput, type LoopRun } from "./loopRun";
import { stageDeps } from "./stageDeps";
import { turn } from "./turn";
import { updateRun } from "./updateRun";

// Prepared messages come before queued ones, as the hook saw the transcript without them.
function begin(run: LoopRun, { update, queued }: NextTurn): void {
  if (update) updateRun(run, update);
  run.pending = [...(update?.messages ?? []), ...queued.messages];
}

function* nextTurn(run: LoopRun): Steps<never, boolean> {
  const next = yield* schedule(stageDeps(run)).run(run as EndedTurn);
  if (!next) return false;
  // One hop a turn, so that others get their turn between synchronous ones.
  yield hop();
  if (run.control.signal.aborted) return false;
  begin(run, next);
  return true;
}

function giveBack(run: LoopRun): void {
  const { taken, config } = run;
  run.taken = undefined;
  if (taken && taken.messages.length > 0) config.onUndelivered?.(taken.messages, taken.queue);
}

function* wholeRun(run: LoopRun, emit: Emit<AgentEvent>): Steps<AgentEvent> {
  const tell = teller(run.gate, emit);
  try {
    yield tell({ type: "agent_start" });
    yield hop();
    do yield* turn(run, emit);
    while (yield* nextTurn(run));
  } finally {
    giveBack(run);
  }
  yield tell(agentEnd(run));
}

/**
 * A whole run: `agent_start`, turns for as long as there is a next one, `agent_end`.
 *
 * @remarks `agent_start` is synchronous; the first turn begins one microtask later. Fails when a hook or the gate fails,
 * without `agent_end`; what left a queue and did not reach the transcript is given back first.
 */
export function runLoop(input: LoopInput): Observable<AgentEvent> {
  return steps<AgentEvent>((emit) => wholeRun(loopRun(input), emit));
}
