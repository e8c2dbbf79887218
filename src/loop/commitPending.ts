import type { Emit, Steps } from "../internal/steps";
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
export function* commitPending(
  run: LoopRun,
  pending: PendingMessage[],
  always: boolean,
  emit: Emit<AgentEvent>,
): Steps {
  for (const item of pending) {
    if (run.control.signal.aborted && !always) return;
    yield* commitMessages(run).run(item.message, (event) => {
      emit(event);
      if (event.type === "message_end") settle(run, item);
    });
  }
}
