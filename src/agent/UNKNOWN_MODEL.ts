import type { Api, Model } from "@earendil-works/pi-ai";

/** The model of an agent that was given none. */
export const UNKNOWN_MODEL: Model<Api> = {
  id: "unknown",
  name: "unknown",
  api: "unknown",
  provider: "unknown",
  baseUrl: "",
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
};
