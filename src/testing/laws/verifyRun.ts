import { Observable, type MonoTypeOperatorFunction } from "rxjs";
import type { AgentEvent } from "../../types/event";
import { LawViolation } from "../LawViolation";
import { shownFields } from "./shownFields";
import { watchLaws } from "./watchLaws";

/**
 * Passes events through, and fails with a `LawViolation` at the event that breaks a law of the run contract.
 *
 * @remarks For `agent.events$` or `prompt$()`: subscribe before the run starts, since half a run breaks laws. The event that
 * breaks a law does not pass. A violation ends this subscription alone; the run goes on.
 *
 * @example
 * ```ts
 * const fake = fakeModel(["Hello!"]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
 * agent.events$.pipe(verifyRun()).subscribe({ error: (violation) => console.error(violation.message) });
 * await agent.prompt("Hi");
 * ```
 */
export function verifyRun(): MonoTypeOperatorFunction<AgentEvent> {
  return (events$) =>
    new Observable<AgentEvent>((subscriber) => {
      const watch = watchLaws();
      let changed: (() => string | undefined) | undefined;
      const stale = () => {
        const what = changed?.();
        return what === undefined
          ? undefined
          : new LawViolation("I8", `${what} changed after it was shown`, {
              kind: "changed",
              after: 0,
              what,
            });
      };
      return events$.subscribe({
        next: (event) => {
          const violation = stale() ?? watch.see({ kind: "event", after: 0, event });
          if (violation) return subscriber.error(violation);
          changed = shownFields(event);
          subscriber.next(event);
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          const violation = stale() ?? watch.end();
          if (violation) subscriber.error(violation);
          else subscriber.complete();
        },
      });
    });
}
