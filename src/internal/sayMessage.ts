import { concat, type Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { AgentMessage } from "../types/messages";
import { holdFailure } from "./holdFailure";
import { say } from "./say";

/**
 * A whole message through the gate: its start and its end, which belong together.
 *
 * @remarks A failure of the gate at the start passes on after the end, so no message stays half told.
 */
export function sayMessage(gate: Gate, message: AgentMessage): Observable<AgentEvent> {
  const held = holdFailure(gate);
  return concat(
    say(held.gate, () => ({ type: "message_start", message })),
    say(held.gate, () => ({ type: "message_end", message })),
    held.failure$,
  );
}
