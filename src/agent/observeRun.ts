import { concat, defer, Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { AgentRun, RunInput } from "./AgentRun";

/**
 * A run as a cold observable of its events: subscribing begins it, and it completes when the run has settled.
 *
 * @param events$ - The events of the agent, to be passed on.
 * @param current - The run that may still be going on. One that was left is waited for, so that `switchMap` works.
 * @remarks Unsubscribing aborts the run, which settles all the same.
 */
export function observeRun(
  events$: Observable<AgentEvent>,
  current: () => AgentRun | undefined,
  begin: () => { run: AgentRun; input: RunInput },
): Observable<AgentEvent> {
  const run$ = new Observable<AgentEvent>((subscriber) => {
    const { run, input } = begin();
    subscriber.add(() => run.leave());
    subscriber.add(events$.subscribe((event) => subscriber.next(event)));
    run.settled$.subscribe(subscriber);
    run.start(input);
  });
  return defer(() => {
    const left = current();
    return left?.left ? concat(left.idle(), run$) : run$;
  });
}
