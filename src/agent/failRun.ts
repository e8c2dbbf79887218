import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import { blankMessage } from "../internal/blankMessage";
import { steps, type Steps } from "../internal/steps";
import { teller, type Tell } from "../internal/teller";
import { tellMessage } from "../internal/tellMessage";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";

/** How a run failed, and what it had open. */
export interface FailRunOptions {
  gate: Gate;
  model: Model<Api>;
  stopReason: "aborted" | "error";
  errorMessage: string;
  /** The assistant message that was streaming. */
  open?: AssistantMessage;
  reason?: unknown;
}

function* told(tell: Tell, message: AssistantMessage, isOpen: boolean, end: AgentEvent): Steps {
  if (isOpen) yield tell({ type: "message_end", message });
  else yield* tellMessage(tell, message);
  yield tell({ type: "turn_end", message, toolResults: [] });
  yield tell(end);
}

/** The rest of a run that failed: the error message, or the end of the open one as such, `turn_end`, `agent_end`. */
export function failRun({ gate, open, reason, ...failure }: FailRunOptions): Observable<AgentEvent> {
  const message = blankMessage({ ...failure, partial: open });
  const end: AgentEvent = {
    type: "agent_end",
    messages: [message],
    outcome: failure.stopReason === "aborted" ? "aborted" : "failed",
  };
  if (reason !== undefined) end.reason = reason;
  return steps<AgentEvent>((emit) => told(teller(gate, emit), message, open !== undefined, end));
}
