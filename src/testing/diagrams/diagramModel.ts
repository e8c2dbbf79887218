import type { Api, Model } from "@earendil-works/pi-ai";

/** The model of every diagram. */
export const diagramModel: Model<Api> = {
  id: "diagram",
  name: "Diagram",
  api: "diagram",
  provider: "diagram",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};
