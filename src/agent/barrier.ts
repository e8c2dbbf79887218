import { from, ignoreElements, isObservable, type Observable } from "rxjs";
import { isThenable } from "../internal/isThenable";
import { lane } from "../internal/lane";
import { steps, type Step } from "../internal/steps";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { AgentListener } from "../types/options";

/** What the barrier does with an event. */
export interface BarrierDeps {
  /** Told in the order in which they joined; who joins or leaves meanwhile counts at once. */
  listeners: ReadonlySet<AgentListener>;
  signal: AbortSignal;
  /** First: the state takes the event over. */
  reduce: (event: AgentEvent) => void;
  /** Last: observers see the event. */
  pass: (event: AgentEvent) => void;
  /** Calls a listener; gives on what is awaited. */
  around: (call: () => Step) => Step;
  /** A listener failed. True: fail the run with it. */
  onFailure: (error: unknown, event: AgentEvent) => boolean;
}

function failureOf(failures: unknown[]): unknown {
  return failures.length === 1 ? failures[0] : new AggregateError(failures, failures.map(String).join("; "));
}

function awaited(output: unknown): Observable<never> | undefined {
  if (isThenable(output)) return from(output).pipe(ignoreElements());
  return isObservable(output) ? output.pipe(ignoreElements()) : undefined;
}

/**
 * The gate of an Agent: reduce, tell the listeners one after another and await them, pass on.
 *
 * @remarks A listener that fails does not keep the event from the others. Without a promise or observable from a listener
 * everything is synchronous.
 */
export function barrier({ listeners, signal, reduce, pass, around, onFailure }: BarrierDeps): Gate {
  const call = (listener: AgentListener, event: AgentEvent, failures: unknown[]) =>
    around(() => {
      try {
        return awaited(listener(event, signal));
      } catch (error) {
        failures.push(error);
        return undefined;
      }
    });

  return lane((event) => {
    const failures: unknown[] = [];
    const rest = listeners.values();
    // Calls the listeners up to one that is awaited.
    const next = () => {
      for (const listener of rest) {
        const settled$ = call(listener, event, failures);
        if (settled$) return settled$;
      }
      return undefined;
    };
    const finish = () => {
      if (failures.length === 0) return pass(event);
      const error = failureOf(failures);
      const fails = onFailure(error, event);
      pass(event);
      if (fails) throw error;
    };
    reduce(event);
    const first$ = next();
    if (!first$) return void finish();
    return steps<never>(function* () {
      for (let settled$: Step = first$; settled$; settled$ = next()) {
        try {
          yield settled$;
        } catch (error) {
          failures.push(error);
        }
      }
      finish();
    });
  });
}
