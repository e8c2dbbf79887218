import { catchError, EMPTY } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { Emit } from "./steps";

/** A gate that does not fail, and what it held back. */
export interface HeldGate {
  gate: Gate;
  /** Throws the first failure of the gate, if there was one. */
  release: () => void;
}

/**
 * Holds the failure of a gate back, so that what was begun is brought to its end before the failure passes on.
 *
 * @remarks Used where events belong together: those of the calls of a batch.
 */
export function holdFailure(gate: Gate, onFailure: (error: unknown) => void): HeldGate {
  let failure: { error: unknown } | undefined;
  const hold = (error: unknown) => {
    failure ??= { error };
    onFailure(error);
    return EMPTY;
  };
  const { busy, tell } = gate;
  return {
    gate: Object.assign((events$: Parameters<Gate>[0]) => events$.pipe(gate, catchError(hold)), {
      busy,
      tell: tell && ((event: AgentEvent, emit: Emit<AgentEvent>) => tell(event, emit, hold)),
    }),
    release: () => {
      if (failure) throw failure.error;
    },
  };
}
