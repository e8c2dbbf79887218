import {
  createProvider,
  type Api,
  type AssistantMessageEvent,
  type Model,
  type Provider,
  type SimpleStreamOptions,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import type { Observable } from "rxjs";
import { check } from "../internal/check";
import { errorText } from "../internal/errorText";
import { expected } from "../internal/expected";
import type { FakeRequest } from "./FakeRequest";
import type { FakeResponse } from "./FakeResponse";
import { FakeScript } from "./FakeScript";
import { ResponseWriter } from "./ResponseWriter";
import { toEventStream } from "./toEventStream";

/** Options of {@link fakeModel}. */
export interface FakeModelOptions {
  /** Milliseconds before each delta. @defaultValue 0: the whole response comes at once, synchronously */
  pace?: number;
  /** Milliseconds before the first event. @defaultValue 0 */
  latency?: number;
  /** Goes on after an abort, like a provider that does not hear the signal. @defaultValue false */
  ignoreAbort?: boolean;
  /** Fields of {@link FakeModel.model}. */
  model?: Partial<Model<Api>>;
}

/** A model that follows a script. */
export interface FakeModel {
  /** A model of the fake provider, for `initialState.model`. */
  readonly model: Model<Api>;
  /** Answers with an observable that timers drive, so it runs in virtual time and under fake timers. */
  readonly streamFn: (
    model: Model<Api>,
    context: TranscriptContext,
    options?: SimpleStreamOptions,
  ) => Observable<AssistantMessageEvent>;
  /** The same script behind pi-ai's `Models`: `models.setProvider(fake.provider)`. */
  readonly provider: Provider;
  /** What was asked, oldest first. */
  readonly requests: readonly FakeRequest[];
  /** How many responses of the script were not asked for yet. */
  readonly left: number;
  /** Adds to the script. */
  add(...responses: FakeResponse[]): void;
}

/**
 * A model that follows a script: what it says, thinks, calls, how it fails and stalls, and when.
 *
 * @param script - One entry a request: a string, parts, or a function of the request that gives them.
 * @remarks Usable as `streamFn` and through pi-ai's `Models`. It ends as aborted when the request's signal aborts. A request
 * beyond the script fails with an error that names its number and its last message.
 * @throws TypeError when the script or an option is not what it should be
 *
 * @example
 * ```ts
 * const weather = fakeTool("weather", { text: "sunny" });
 * const fake = fakeModel([[think("I must look."), call("weather", { city: "Bern" })], say("It is sunny.")], { pace: 1 });
 * const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools: [weather] } });
 * await agent.prompt("How is the weather?");
 * console.log(fake.requests.length, weather.calls[0]?.params); // 2 { city: "Bern" }
 * ```
 */
export function fakeModel(script: readonly FakeResponse[] = [], options: FakeModelOptions = {}): FakeModel {
  if (!Array.isArray(script)) throw expected("fakeModel", "a list of responses", script);
  check.ms("pace", options.pace);
  check.ms("latency", options.latency);
  const lines = new FakeScript(script as readonly FakeResponse[], options);
  const model: Model<Api> = {
    id: "fake-model",
    name: "Fake model",
    api: "fake",
    provider: "fake",
    baseUrl: "",
    reasoning: true,
    input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 10_000,
    ...options.model,
  };
  const streamFn: FakeModel["streamFn"] = (asked, context, given) => lines.respond(asked, context, given);
  const stream = (asked: Model<Api>, context: TranscriptContext, given?: SimpleStreamOptions) =>
    toEventStream(streamFn(asked, context, given), (error) =>
      new ResponseWriter(asked, () => "", 0).error("error", errorText(error)),
    );
  return {
    model,
    streamFn,
    provider: createProvider({
      id: model.provider,
      auth: { apiKey: { name: "Fake", resolve: () => Promise.resolve({ auth: {} }) } },
      models: [model],
      api: { stream, streamSimple: stream },
    }),
    requests: lines.requests,
    get left() {
      return lines.left;
    },
    add: (...responses) => void lines.responses.push(...responses),
  };
}
