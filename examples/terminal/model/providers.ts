import type { Api, Model, Models, Provider } from "@earendil-works/pi-ai";
import { UsageError } from "../usageError";
import type { ChosenModel } from "./chosenModel";
import { defaultModels } from "./defaultModels";

const SUGGESTED = 5;

/** All providers of pi-ai. Loaded when needed: their catalogs are large. */
const load = async (): Promise<Models> =>
  (await import("@earendil-works/pi-ai/providers/all")).builtinModels();

const inOrder = (models: Models): Provider[] => {
  const order = [...defaultModels.keys()];
  const rank = ({ id }: Provider) => (order.indexOf(id) + order.length + 1) % (order.length + 1);
  return models.getProviders().toSorted((a, b) => rank(a) - rank(b));
};

const chosen = (models: Models, model: Model<Api>, source?: string): ChosenModel => ({
  label: `${model.provider}/${model.id}${source ? ` (${source})` : ""}`,
  model,
  streamFn: (asked, context, options) => models.streamSimple(asked, context, options),
});

/** The first provider with a key, with its default model; nothing when there is no key. */
export async function providerInEnvironment(): Promise<ChosenModel | undefined> {
  const models = await load();
  for (const { id } of inOrder(models)) {
    const auth = await models.checkAuth(id).catch(() => undefined);
    const model = auth && (models.getModel(id, defaultModels.get(id) ?? "") ?? models.getModels(id)[0]);
    if (model) return chosen(models, model, auth.source);
  }
  return undefined;
}

/** The models of all providers with a key, as `provider/id`. */
export async function availableModels(): Promise<string[]> {
  const models = await load();
  const ids: string[] = [];
  for (const { id } of inOrder(models)) {
    if (await models.checkAuth(id).catch(() => undefined))
      ids.push(...models.getModels(id).map((model) => `${id}/${model.id}`));
  }
  return ids;
}

const alike = (models: Models, provider: string, id: string) => {
  const ids = models.getModels(provider).map((model) => model.id);
  const parts = id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const score = (name: string) => parts.filter((part) => name.toLowerCase().includes(part)).length;
  return ids.toSorted((a, b) => score(b) - score(a)).slice(0, SUGGESTED);
};

/** The model at `provider/id`; throws when there is none, or no key for it. */
export async function providerModel(name: string): Promise<ChosenModel> {
  const models = await load();
  const slash = name.indexOf("/");
  const provider = models.getProvider(name.slice(0, Math.max(0, slash)));
  if (!provider) {
    const known = inOrder(models).map(({ id }) => id);
    throw new UsageError(
      `--model: expected provider/id, got ${JSON.stringify(name)}; the providers are ${known.join(", ")}`,
    );
  }
  const id = name.slice(slash + 1);
  const model = models.getModel(provider.id, id);
  if (!model) {
    const like = alike(models, provider.id, id);
    throw new UsageError(
      `--model: expected a model of ${provider.id}, got ${JSON.stringify(id)}; it has ${like.join(", ")}, …`,
    );
  }
  const auth = await models.checkAuth(provider.id);
  if (!auth)
    throw new UsageError(
      `--model: expected ${provider.auth.apiKey?.name ?? `a login for ${provider.id}`} in the environment, found none`,
    );
  return chosen(models, model, auth.source);
}
