import type { AgentMessage } from "../types/messages";
import type { LoopRun } from "./loopRun";

/** Adds a message to the transcript, as one of this run. */
export function append({ context, newMessages }: LoopRun, message: AgentMessage): void {
  context.messages.push(message);
  newMessages.push(message);
}
