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
  /** What an app sends to its own server, and the server's list of those it knows. */
  var authToken: string;
  var sessions: Set<string>;
}

const offline = createModels();
offline.setProvider(anthropicProvider());
globalThis.models = offline;
globalThis.model = offline.getModel("anthropic", "claude-sonnet-4-6")!;
globalThis.streamFn = offline.streamSimple.bind(offline);
globalThis.agent = new Agent({ initialState: { model: globalThis.model }, streamFn: globalThis.streamFn });
globalThis.authToken = "token";
globalThis.sessions = new Set([globalThis.authToken]);
