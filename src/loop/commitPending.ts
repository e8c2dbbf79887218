import { concat, concatMap, defer, EMPTY, from, ignoreElements, of, tap, type Observable } from "rxjs";
import { concatEach } from "../internal/concatEach";
import { fromHook } from "../internal/fromHook";
import { untilDeadline } from "../internal/untilDeadline";
import { commitMessages } from "../stages/commitMessages";
import type { AgentEvent } from "../types/event";
import type { LoopRun } from "./loopRun";

function settle(
  run: LoopRun,
  message: LoopRun["pending"][number],
  source: LoopRun["pending"][number] | undefined,
) {
  run.context.messages.push(message);
  run.newMessages.push(message);
  if (run.taken?.messages[0] === source)
    run.taken = { ...run.taken!, messages: run.taken!.messages.slice(1) };
}

/**
 * Announces the tools and commits what is pending.
 *
 * @remarks An abort stops between two messages, but prompts are always committed.
 */
export function commitPending(run: LoopRun, always: boolean): Observable<AgentEvent> {
  return defer(() => {
    const sources = run.pending;
    run.pending = [];
    return of(sources).pipe(
      run.announce,
      concatMap((announced) => {
        // An announcement of its own stands before everything else.
        const extra = announced.length - sources.length;
        return from(announced.map((message, index) => ({ message, source: sources[index - extra] }))).pipe(
          concatEach(({ message, source }) =>
            !always && run.control.signal.aborted
              ? EMPTY
              : of(message).pipe(commitMessages(run), tap({ complete: () => settle(run, message, source) })),
          ),
        );
      }),
    );
  });
}

/** Takes the steering messages that came before the first request, and commits them. */
export function commitFirstSteering(run: LoopRun): Observable<AgentEvent> {
  const { config, control } = run;
  const poll = config.getSteeringMessages;
  if (!poll) return EMPTY;
  const taken$ = defer(() => (control.signal.aborted ? EMPTY : fromHook("getSteeringMessages", poll))).pipe(
    tap((messages) => {
      run.pending = messages ?? [];
      run.taken = { queue: "steering", messages: run.pending };
    }),
    untilDeadline(control),
    ignoreElements(),
  );
  return concat(
    taken$,
    defer(() => commitPending(run, false)),
  );
}
