import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";

/** An answer of the model with nothing in it. */
export function blankAnswer({ api, provider, id }: Model<Api>): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api,
    provider,
    model: id,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    timestamp: 0,
  };
}
