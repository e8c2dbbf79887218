import { defer, of, type Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";

/** One event through the gate, made when its turn has come. */
export function say(gate: Gate, make: () => AgentEvent): Observable<AgentEvent> {
  return defer(() => gate(of(make())));
}
