import { ask } from "../internal/ask";
import { teller } from "../internal/teller";
import { stage, type EventStage } from "../internal/stage";
import type { Emit, Steps } from "../internal/steps";
import type { AgentEvent } from "../types/event";
import type { Gate, RunControl } from "../types/gate";
import type { AgentTurnContext, AgentTurnDecision, ReactiveFinishTurn } from "../types/hooks";

/** What {@link endTurn} needs. */
export interface EndTurnDeps {
  gate: Gate;
  control: Pick<RunControl, "signal" | "deadline$">;
  finishTurn?: ReactiveFinishTurn;
  /** Told what `finishTurn` decided, before `turn_end`. */
  onDecision?: (decision: AgentTurnDecision | undefined) => void;
}

function* end(
  turn: AgentTurnContext,
  { gate, control, finishTurn, onDecision }: EndTurnDeps,
  emit: Emit<AgentEvent>,
): Steps {
  const decide = (decision: AgentTurnDecision | undefined | void) =>
    onDecision?.(control.signal.aborted ? undefined : (decision ?? undefined));
  if (finishTurn) yield* ask("finishTurn", () => finishTurn(turn, control.signal), decide, control);
  const { message, toolResults } = turn;
  yield teller(gate, emit)({ type: "turn_end", message, toolResults });
}

/**
 * Ends a turn: asks `finishTurn`, then tells `turn_end`.
 *
 * @remarks Between `toolStage` and `schedule`. After an abort the hook is still called, within the grace, and what it
 * decides or throws is ignored.
 */
export function endTurn(deps: EndTurnDeps): EventStage<AgentTurnContext, AgentEvent> {
  return stage<EventStage<AgentTurnContext, AgentEvent>>((turn, emit) => end(turn, deps, emit));
}
