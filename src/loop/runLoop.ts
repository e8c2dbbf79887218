import { defer, type Observable } from "rxjs";
import { hop } from "../internal/hop";
import { steps, type Steps } from "../internal/steps";
import { teller } from "../internal/teller";
import { schedule, type EndedTurn, type NextTurn } from "../stages/schedule";
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

function* nextTurn(run: LoopRun): Steps<never, boolean> {
  const { config, control } = run;
  const onTaken = (taken: LoopRun["taken"]) => (run.taken = taken);
  const next = yield* schedule({ ...config, control, onTaken }).run(run as EndedTurn);
  if (!next) return false;
  // One hop a turn, so that others get their turn between synchronous ones.
  yield hop();
  if (control.signal.aborted) return false;
  begin(run, next);
  return true;
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
    return steps<AgentEvent>(function* (emit) {
      const tell = teller(run.gate, emit);
      try {
        yield tell({ type: "agent_start" });
        yield hop();
        do yield* turn(run, emit);
        while (yield* nextTurn(run));
      } finally {
        undelivered();
      }
      yield tell(agentEnd(run));
    });
  });
}
