import { catchError, defer, EMPTY, throwError, type Observable } from "rxjs";
import type { Gate } from "../types/gate";

/** A gate that does not fail, and what it held back. */
export interface HeldGate {
  gate: Gate;
  /** Fails with the first failure of the gate, or completes. */
  failure$: Observable<never>;
}

/**
 * Holds the failure of a gate back, so that what was begun is brought to its end before the failure passes on.
 *
 * @remarks Used where events come in pairs: a message's start and end, the calls of a batch.
 */
export function holdFailure(gate: Gate, onFailure?: (error: unknown) => void): HeldGate {
  const failures: unknown[] = [];
  const hold = (error: unknown) => {
    failures.push(error);
    onFailure?.(error);
    return EMPTY;
  };
  return {
    gate: Object.assign((events$: Parameters<Gate>[0]) => events$.pipe(gate, catchError(hold)), {
      busy: gate.busy,
    }),
    failure$: defer(() => (failures.length > 0 ? throwError(() => failures[0]) : EMPTY)),
  };
}
