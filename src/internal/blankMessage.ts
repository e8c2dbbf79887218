import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";

/** Who would have answered, and how it ended instead. */
export interface BlankMessageOptions {
  model: Model<Api>;
  stopReason: "aborted" | "error";
  errorMessage: string;
  /** What had streamed; copied deeply, since the provider may still write to it. */
  partial?: AssistantMessage;
}

function copied(partial: AssistantMessage): AssistantMessage {
  try {
    return structuredClone(partial);
  } catch {
    return { ...partial, content: partial.content.map((block) => ({ ...block })) };
  }
}

/** The assistant message of a response that did not end by itself. */
export function blankMessage({
  model,
  stopReason,
  errorMessage,
  partial,
}: BlankMessageOptions): AssistantMessage {
  if (partial) return { ...copied(partial), stopReason, errorMessage };
  return {
    role: "assistant",
    content: [{ type: "text", text: "" }],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason,
    errorMessage,
    timestamp: asyncScheduler.now(),
  };
}
