import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { blankMessage } from "../internal/blankMessage";
import type { ModelRequest } from "../types/hooks";

/** The event that ends a response as failed, with what had streamed of it. */
export function responseFailure(
  { model }: ModelRequest,
  errorMessage: string,
  partial?: AssistantMessage,
): Extract<AssistantMessageEvent, { type: "error" }> {
  const error = blankMessage({ model, stopReason: "error", errorMessage, partial });
  return { type: "error", reason: "error", error };
}
