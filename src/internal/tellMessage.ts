import type { AgentMessage } from "../types/messages";
import type { Steps } from "./steps";
import type { Tell } from "./teller";

/**
 * A whole message through the gate: its start and its end, which belong together.
 *
 * @remarks A failure of the gate at the start passes on after the end, so no message stays half told.
 */
export function* tellMessage(tell: Tell, message: AgentMessage): Steps {
  let failure: { error: unknown } | undefined;
  for (const type of ["message_start", "message_end"] as const) {
    try {
      const told$ = tell({ type, message });
      if (told$) yield told$;
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure) throw failure.error;
}
