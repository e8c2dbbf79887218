import { EMPTY, from, of, tap, type Observable } from "rxjs";
import { concatEach } from "../internal/concatEach";
import { commitMessages } from "../stages/commitMessages";
import type { AgentEvent } from "../types/event";
import type { LoopRun, PendingMessage } from "./loopRun";

function settle(run: LoopRun, { message, queued }: PendingMessage): void {
  run.context.messages.push(message);
  run.newMessages.push(message);
  const { taken } = run;
  if (taken && queued) run.taken = { ...taken, messages: taken.messages.slice(1) };
}

/**
 * Commits messages to the transcript.
 *
 * @param always - Also after an abort: for prompts. Else an abort stops between two messages.
 */
export function commitPending(
  run: LoopRun,
  pending: PendingMessage[],
  always: boolean,
): Observable<AgentEvent> {
  return from(pending).pipe(
    concatEach((item) =>
      run.control.signal.aborted && !always
        ? EMPTY
        : of(item.message).pipe(
            commitMessages(run),
            tap((event) => event.type === "message_end" && settle(run, item)),
          ),
    ),
  );
}
