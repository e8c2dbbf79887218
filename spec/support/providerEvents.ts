import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { of, type Observable } from "rxjs";
import { assistant } from "./fixtures";

/** The events of a provider, each for one message. */
export const start = (partial: AssistantMessage = assistant("")): AssistantMessageEvent => ({
  type: "start",
  partial,
});

/** Text so far is `text`, the last character of it is new. */
export const delta = (text: string): AssistantMessageEvent => ({
  type: "text_delta",
  contentIndex: 0,
  delta: text.slice(-1),
  partial: assistant(text),
});

/** The terminal event that fits the message's stop reason. */
export function terminal(message: AssistantMessage): AssistantMessageEvent {
  const { stopReason } = message;
  return stopReason === "error" || stopReason === "aborted"
    ? { type: "error", reason: stopReason, error: message }
    : ({ type: "done", reason: stopReason, message } as AssistantMessageEvent);
}

/** A whole response at once. */
export const response = (message: AssistantMessage): Observable<AssistantMessageEvent> =>
  of(start({ ...message, content: [] }), terminal(message));

/** A stream function that gives one answer after another, the last one for ever. */
export function answers(...messages: AssistantMessage[]): () => Observable<AssistantMessageEvent> {
  let request = 0;
  return () => response({ ...messages[Math.min(request++, messages.length - 1)]! });
}
