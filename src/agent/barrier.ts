import {
  catchError,
  concat,
  defer,
  EMPTY,
  from,
  ignoreElements,
  isObservable,
  throwError,
  type Observable,
} from "rxjs";
import { isThenable } from "../internal/isThenable";
import { lane, type Deliver } from "../internal/lane";
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
  /** Calls a listener, told whether what it returned is awaited. */
  around: (call: () => boolean) => void;
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
  const call = (listener: AgentListener, event: AgentEvent, failures: unknown[]) => {
    let settled$: Observable<never> | undefined;
    around(() => {
      try {
        settled$ = awaited(listener(event, signal));
      } catch (error) {
        failures.push(error);
      }
      return settled$ !== undefined;
    });
    return settled$;
  };

  const tell = (
    event: AgentEvent,
    rest: Iterator<AgentListener>,
    failures: unknown[],
  ): Observable<never> | undefined => {
    for (let next = rest.next(); !next.done; next = rest.next()) {
      const settled$ = call(next.value, event, failures);
      if (!settled$) continue;
      const caught$ = settled$.pipe(
        catchError((error: unknown) => {
          failures.push(error);
          return EMPTY;
        }),
      );
      return concat(
        caught$,
        defer(() => tell(event, rest, failures) ?? EMPTY),
      );
    }
    return undefined;
  };

  const finish = (event: AgentEvent, failures: unknown[]): Observable<never> | undefined => {
    const failure = failures.length > 0 ? { error: failureOf(failures) } : undefined;
    const fails = failure !== undefined && onFailure(failure.error, event);
    pass(event);
    return fails ? throwError(() => failure.error) : undefined;
  };

  const deliver: Deliver = (event) => {
    const failures: unknown[] = [];
    reduce(event);
    const told$ = tell(event, listeners.values(), failures);
    if (!told$) return finish(event, failures);
    return concat(
      told$,
      defer(() => finish(event, failures) ?? EMPTY),
    );
  };
  return lane(deliver);
}
