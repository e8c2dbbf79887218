import type { Api, Model } from "@earendil-works/pi-ai";

function model(id: string, provider: string): Model<Api> {
  return {
    id,
    name: id,
    api: `${provider}-api`,
    provider,
    baseUrl: "",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1000,
    maxTokens: 100,
  };
}

export const models = [model("small", "north"), model("large", "north"), model("other", "south")] as const;

export function modelAt(index: number): Model<Api> {
  return models[index % models.length] ?? models[0];
}
