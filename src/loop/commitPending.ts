import type { Emit, Steps } from "../internal/steps";
import { commitMessages } from "../stages/commitMessages";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";
import { append } from "./append";
import type { LoopRun } from "./loopRun";

// What left a queue stands last, behind prepared messages and an announcement of the loop's own.
function settle(run: LoopRun, message: AgentMessage, left: number): void {
  const { taken } = run;
  append(run, message);
  if (!taken) return;
  const { queue, messages } = taken;
  run.taken = { queue, messages: messages.slice(Math.max(messages.length - left, 0)) };
}

/**
 * Commits messages to the transcript.
 *
 * @param pending - All that was taken from a queue and is not in the transcript yet is at its end.
 * @param always - Also after an abort: for prompts. Else an abort stops between two messages.
 */
export function* commitPending(
  run: LoopRun,
  pending: AgentMessage[],
  always: boolean,
  emit: Emit<AgentEvent>,
): Steps {
  let left = pending.length;
  for (const message of pending) {
    if (run.control.signal.aborted && !always) return;
    yield* commitMessages(run).run(message, (event) => {
      emit(event);
      if (event.type === "message_end") settle(run, message, --left);
    });
  }
}
