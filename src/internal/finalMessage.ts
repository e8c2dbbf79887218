import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";

/** The message that a provider's terminal event brings; undefined for every other event. */
export function finalMessage(event: AssistantMessageEvent): AssistantMessage | undefined {
  return event.type === "done" ? event.message : event.type === "error" ? event.error : undefined;
}
