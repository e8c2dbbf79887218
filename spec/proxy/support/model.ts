import type { Api, Model, TranscriptContext } from "@earendil-works/pi-ai";
import { normalizeContext } from "@earendil-works/pi-ai";

/** A model as a client names it; its address must reach no provider. */
export const model: Model<Api> = {
  id: "echo-1",
  name: "Echo",
  api: "openai-completions",
  provider: "echo",
  baseUrl: "https://client.example",
  headers: { "x-from": "client" },
  input: ["text"],
  reasoning: true,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 100,
};

export const context: TranscriptContext = normalizeContext({
  systemPrompt: "Be brief.",
  messages: [{ role: "user", content: "Grüße ☕", timestamp: 1 }],
});
