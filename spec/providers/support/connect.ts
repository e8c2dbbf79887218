import {
  type Api,
  createModels,
  createProvider,
  type Model,
  type SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import type { StreamFn } from "pi-agent-rx";
import { STORED_KEY, type Wire } from "./wire";

/** A model on the server and the `streamFn` that reaches it through pi-ai's own provider. */
export interface Connection {
  readonly model: Model<Api>;
  readonly streamFn: StreamFn;
}

export interface ConnectOptions {
  /** Laid over the scripted model. */
  readonly model?: Partial<Model<Api>>;
  /** Laid over every request's options, for what `Agent` itself has no option for. */
  readonly request?: SimpleStreamOptions;
}

export function connect(wire: Wire, url: string, options: ConnectOptions = {}): Connection {
  const model: Model<Api> = { ...wire.model(url), ...options.model };
  const models = createModels();
  models.setProvider(
    createProvider({
      id: model.provider,
      auth: { apiKey: { name: "Stored key", resolve: async () => ({ auth: { apiKey: STORED_KEY } }) } },
      models: [model],
      api: wire.api(),
    }),
  );
  return {
    model,
    streamFn: (requested, context, request) =>
      models.streamSimple(requested, context, { ...request, ...options.request }),
  };
}
