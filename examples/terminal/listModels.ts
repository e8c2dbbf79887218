import type { Args } from "./args";
import { availableModels } from "./model/providers";
import { serverModels } from "./model/server";

/** The models to choose from, one a line: those of the server, or of all providers with a key. */
export async function listModels({ baseUrl, apiKey }: Args): Promise<string> {
  const names = baseUrl === undefined ? await availableModels() : await serverModels(baseUrl, apiKey);
  const none =
    baseUrl === undefined ? "No provider's key is in the environment." : `${baseUrl} lists no models.`;
  return `${names.length > 0 ? names.join("\n") : none}\n`;
}
