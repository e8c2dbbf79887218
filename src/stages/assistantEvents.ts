import type { Api, AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import { concat, defer, filter, map, takeWhile, tap, type Observable, type OperatorFunction } from "rxjs";
import { blankMessage } from "../internal/blankMessage";
import { endedByAbort } from "../internal/endedByAbort";
import { errorText } from "../internal/errorText";
import { say } from "../internal/say";
import { untilDeadline } from "../internal/untilDeadline";
import type { AgentEvent } from "../types/event";
import type { Gate, RunControl } from "../types/gate";
import type { ThinkingLevel } from "../types/messages";

/** What {@link assistantEvents} needs. */
export interface AssistantEventsDeps {
  gate: Gate;
  control: Pick<RunControl, "signal" | "deadline$">;
  /** Whom a response is attributed to that never came. */
  model: Model<Api>;
  /** Recorded on the message as what was asked for. */
  thinkingLevel: ThinkingLevel;
}

interface OpenMessage {
  partial?: AssistantMessage;
  final?: AssistantMessage;
  /** What the source threw after an abort. */
  thrown?: string;
}

// A second `start` (a retried response) goes on with the same message.
function toEvent(open: OpenMessage, event: AssistantMessageEvent): AgentEvent | undefined {
  if (event.type === "done" || event.type === "error") return undefined;
  const started = open.partial !== undefined;
  if (event.type === "start") {
    open.partial = event.partial;
    return started ? undefined : { type: "message_start", message: { ...event.partial } };
  }
  if (!started) return undefined;
  open.partial = event.partial;
  return { type: "message_update", assistantMessageEvent: event, message: { ...event.partial } };
}

function finalMessage({ partial, final, thrown }: OpenMessage, deps: AssistantEventsDeps): AssistantMessage {
  const { control, model, thinkingLevel } = deps;
  const aborted = control.signal.aborted;
  const message =
    final ??
    blankMessage({
      model,
      stopReason: aborted ? "aborted" : "error",
      errorMessage: aborted
        ? (thrown ?? "Request was aborted")
        : "The provider's stream ended without a done or error event",
      partial,
    });
  return Object.assign(message, { thinkingLevel });
}

function endMessage(open: OpenMessage, deps: AssistantEventsDeps): Observable<AgentEvent> {
  const message = finalMessage(open, deps);
  const end$ = say(deps.gate, () => ({ type: "message_end", message }));
  if (open.partial) return end$;
  return concat(
    say(deps.gate, () => ({ type: "message_start", message: { ...message } })),
    end$,
  );
}

/**
 * Turns a provider's events into one assistant message: start, updates, end.
 *
 * @remarks Between `streamResponse` and `toolStage`. The message always ends: by the provider's terminal event, as
 * `aborted` when the grace after an abort is over (with a deep copy of what had streamed) or when no request was made, as
 * `error` when the source completes without a terminal event. An error of the source passes.
 */
export function assistantEvents(
  deps: AssistantEventsDeps,
): OperatorFunction<AssistantMessageEvent, AgentEvent> {
  return (events$) =>
    defer(() => {
      const open: OpenMessage = {};
      const streamed$ = events$.pipe(
        tap({ error: (error: unknown) => (open.thrown = errorText(error)) }),
        endedByAbort(deps.control),
        untilDeadline(deps.control),
        takeWhile((event) => {
          if (event.type === "done") open.final = event.message;
          else if (event.type === "error") open.final = event.error;
          return open.final === undefined;
        }),
        map((event) => toEvent(open, event)),
        filter((event) => event !== undefined),
        deps.gate,
      );
      return concat(
        streamed$,
        defer(() => endMessage(open, deps)),
      );
    });
}
