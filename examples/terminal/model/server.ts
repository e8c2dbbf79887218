import { createProvider, type Model } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import type { ChosenModel } from "./chosenModel";

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const NO_KEY = "none";

/** A model on an OpenAI-compatible server: Ollama, llama.cpp, vLLM and their like. */
export function serverModel(baseUrl: string, id: string, apiKey: string = NO_KEY): ChosenModel {
  const model: Model<"openai-completions"> = {
    id,
    name: id,
    api: "openai-completions",
    provider: "server",
    baseUrl,
    reasoning: false,
    input: ["text"],
    cost: free,
    contextWindow: 32_768,
    maxTokens: 8_192,
    // What OpenAI added since the others copied it is left out.
    compat: {
      supportsStore: false,
      supportsDeveloperRole: false,
      supportsReasoningEffort: false,
      maxTokensField: "max_tokens",
    },
  };
  const provider = createProvider({
    id: model.provider,
    baseUrl,
    auth: { apiKey: { name: "the key of the server", resolve: async () => ({ auth: { apiKey } }) } },
    models: [model],
    api: openAICompletionsApi(),
  });
  return {
    label: `${id} at ${baseUrl}`,
    model,
    // Only the key of the command line ever goes to this address, none from the environment.
    streamFn: (_model, context, options) => provider.streamSimple(model, context, { ...options, apiKey }),
  };
}

/** The names of the models that the server has. */
export async function serverModels(baseUrl: string, apiKey: string = NO_KEY): Promise<string[]> {
  const response = await fetch(`${baseUrl}/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => {
    throw new Error(`${baseUrl}: ${error.cause instanceof Error ? error.cause.message : error.message}`);
  });
  if (!response.ok) throw new Error(`${baseUrl}/models: HTTP ${response.status}`);
  const answer = (await response.json()) as { data?: { id?: unknown }[] };
  return (answer.data ?? []).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
}
