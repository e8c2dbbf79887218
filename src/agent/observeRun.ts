import { Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentRun, RunInput } from "./AgentRun";

/**
 * A run as a cold observable of its events: subscribing begins it, and it completes when the run has settled.
 *
 * @remarks Unsubscribing aborts the run, which settles all the same.
 */
export function observeRun(begin: () => { run: AgentRun; input: RunInput }): Observable<AgentEvent> {
  return new Observable<AgentEvent>((subscriber) => {
    const { run, input } = begin();
    subscriber.add(() => {
      if (!run.settled) run.control.abort();
    });
    run.events$.subscribe((event) => subscriber.next(event));
    run.settled$.subscribe(subscriber);
    run.start(input);
  });
}
