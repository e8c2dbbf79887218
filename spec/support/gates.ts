import { concatMap, ignoreElements, of, concat, timer, throwError, mergeMap } from "rxjs";
import type { Observable } from "rxjs";
import type { AgentEvent, Gate } from "pi-agent-rx";
import { lane } from "../../src/internal/lane";
import { whenSettled } from "../../src/internal/whenSettled";
import { label } from "./label";

/** Lets everything pass at once. */
export const openGate: Gate = (events$) => events$;

/** Holds every event whose label starts with `what` for `ms`, and those behind it in the same stream. */
export function slowGate(ms: number, what = ""): Gate {
  return (events$) =>
    events$.pipe(
      concatMap((event) =>
        label(event).startsWith(what) ? concat(timer(ms).pipe(ignoreElements()), of(event)) : of(event),
      ),
    );
}

/** Passes an event whose label starts with `what`, then fails. */
export function failingGate(what: string, error: unknown = new Error("gate")): Gate {
  return (events$) =>
    events$.pipe(
      mergeMap((event: AgentEvent) =>
        label(event).startsWith(what)
          ? concat(
              of(event),
              throwError(() => error),
            )
          : of(event),
      ),
    );
}

/** A lane whose events wait for what `deliver` gives, if it gives something. */
export function laneOf(deliver: (event: AgentEvent) => Observable<never> | undefined): Gate {
  return lane((event, passed, failed) => whenSettled(deliver(event), passed, failed));
}
