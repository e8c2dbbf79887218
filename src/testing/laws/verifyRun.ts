import { Observable, type MonoTypeOperatorFunction } from "rxjs";
import type { AgentEvent } from "../../types/event";
import type { RecordingEntry } from "../Recording";
import { QueueWatch, type QueueingAgent } from "./QueueWatch";
import { restsOf } from "./restsOf";
import { shownFields } from "./shownFields";
import { watchLaws } from "./watchLaws";

/** What {@link verifyRun} looks at besides events. */
export interface VerifyRunOptions {
  /** Whose queues are followed, too. @defaultValue nobody's */
  agent?: QueueingAgent;
}

/**
 * Passes events through, and fails with a `LawViolation` at the event that breaks a law of the run contract.
 *
 * @remarks For `agent.events$` or `prompt$()`: subscribe before the run starts, since half a run breaks laws. The event that
 * breaks a law does not pass. A violation ends this subscription alone; the run goes on. Events do not show the queues; with
 * `agent` they are followed as well, as `recordRun` does: the methods that queue messages and take them back are wrapped.
 *
 * @example
 * ```ts
 * const fake = fakeModel(["Hello!"]);
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
 * agent.events$.pipe(verifyRun({ agent })).subscribe({ error: (violation) => console.error(violation.message) });
 * await agent.prompt("Hi");
 * ```
 */
export function verifyRun({ agent }: VerifyRunOptions = {}): MonoTypeOperatorFunction<AgentEvent> {
  return (events$) =>
    new Observable<AgentEvent>((subscriber) => {
      const watch = watchLaws();
      let changed: (() => string | undefined) | undefined;
      const stale = () => {
        const what = changed?.();
        const entry = { kind: "changed", after: 0, what: what ?? "" } as const;
        return what === undefined ? undefined : watch.see(entry);
      };
      /** Whether the laws let it pass; a violation is told. */
      const passes = (entry?: RecordingEntry) => {
        const violation = stale() ?? (entry ? watch.see(entry) : watch.end());
        if (violation) subscriber.error(violation);
        return !violation;
      };
      const queues = agent && new QueueWatch(agent, (fact) => void passes({ after: 0, ...fact }));
      subscriber.add(queues);
      if (agent) subscriber.add(restsOf(agent).subscribe((rest) => void passes({ after: 0, ...rest })));
      subscriber.add(
        events$.subscribe({
          next: (event) => {
            if (!passes({ kind: "event", after: 0, event })) return;
            if (event.type === "message_end") queues?.committed(event.message);
            changed = shownFields(event);
            subscriber.next(event);
          },
          error: (error: unknown) => subscriber.error(error),
          complete: () => {
            if (passes()) subscriber.complete();
          },
        }),
      );
    });
}
