import { catchError, EMPTY, identity, ignoreElements, of, tap } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { Emit, Step } from "./steps";

/** Takes one event through the gate, as a step. */
export type Tell = (event: AgentEvent) => Step;

/**
 * Tells events one by one: through the gate, then to `emit`.
 *
 * @param onFailure - Told what the gate fails with, before any other event passes; the step itself does not fail then.
 */
export function teller(gate: Gate, emit: Emit<AgentEvent>, onFailure?: (error: unknown) => void): Tell {
  if (gate === identity) return (event) => void emit(event);
  if (gate.tell) return (event) => gate.tell!(event, emit, onFailure);
  const fail = (error: unknown) => {
    if (!onFailure) throw error;
    onFailure(error);
    return EMPTY;
  };
  return (event) => of(event).pipe(gate, tap(emit), ignoreElements(), catchError(fail));
}
