import { concat, defer, EMPTY, ignoreElements, map, mergeMap, tap, type OperatorFunction } from "rxjs";
import { endedByAbort } from "../internal/endedByAbort";
import { fromHook } from "../internal/fromHook";
import { say } from "../internal/say";
import { untilDeadline } from "../internal/untilDeadline";
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

/**
 * Ends a turn: asks `finishTurn`, then tells `turn_end`.
 *
 * @remarks Between `toolStage` and `schedule`. After an abort the hook is still called, within the grace, and what it
 * decides or throws is ignored.
 */
export function endTurn(deps: EndTurnDeps): OperatorFunction<AgentTurnContext, AgentEvent> {
  const { gate, control, finishTurn, onDecision } = deps;
  return mergeMap((turn) => {
    const decision$ = finishTurn
      ? fromHook<AgentTurnDecision | undefined | void>("finishTurn", () =>
          finishTurn(turn, control.signal),
        ).pipe(
          untilDeadline(control),
          map((decision) => (control.signal.aborted ? undefined : (decision ?? undefined))),
          tap((decision) => onDecision?.(decision)),
          endedByAbort(control),
          ignoreElements(),
        )
      : EMPTY;
    const { message, toolResults } = turn;
    return concat(
      decision$,
      defer(() => say(gate, () => ({ type: "turn_end", message, toolResults }))),
    );
  });
}
