// What a block of the README may use without making it: the names of the quick start. A block that makes its own
// shadows these.
import { createModels, type Api, type Model, type Models } from "@earendil-works/pi-ai";
import { anthropicProvider } from "@earendil-works/pi-ai/providers/anthropic";
import { Agent, type StreamFn } from "pi-agent-rx";

declare global {
  var models: Models;
  var model: Model<Api>;
  var streamFn: StreamFn;
  var agent: Agent;
}

const offline = createModels();
offline.setProvider(anthropicProvider());
globalThis.models = offline;
globalThis.model = offline.getModel("anthropic", "claude-sonnet-4-6")!;
globalThis.streamFn = offline.streamSimple.bind(offline);
globalThis.agent = new Agent({ initialState: { model: globalThis.model }, streamFn: globalThis.streamFn });
