import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";

/** The response of `model` before anything has come. */
export function emptyMessage(model: Model<Api>): AssistantMessage {
  return {
    role: "assistant",
    stopReason: "pending",
    content: [],
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
    timestamp: Date.now(),
  };
}
