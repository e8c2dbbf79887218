import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ProxyWireEvent } from "./ProxyAssistantMessageEvent";

type Detail = Exclude<
  keyof Extract<ProxyWireEvent, { type: "done" }> & keyof AssistantMessage,
  "content" | "usage"
>;

/** The fields of a finished message that its last event carries over the wire when they are there. */
export const responseDetails: readonly Detail[] = [
  "providerThinkingLevel",
  "responseId",
  "responseModel",
  "rawStopReason",
  "endTurn",
  "deferred",
];
