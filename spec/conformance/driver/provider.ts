import { setMaxListeners } from "node:events";
import type { StreamFn } from "@earendil-works/pi-agent-core";
import {
  type Api,
  type AssistantMessage,
  type AssistantMessageEvent,
  type AssistantMessageEventStream,
  createAssistantMessageEventStream,
  type Model,
  type SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import type { ResponseSpec } from "../script";
import { responseEvents, type ScriptedResponse } from "./responseEvents";
import { snapshot } from "./snapshot";
import { lanes, wait } from "./virtualTime";
import type { World } from "./world";

const closing: ResponseSpec = {
  from: "stream",
  opens: 0,
  pace: 0,
  streamed: false,
  start: true,
  live: false,
  blocks: [{ text: "nothing more to say" }],
  end: { done: "stop" },
  trailing: 0,
};

const pause = (ms: number): Promise<void> => (ms === 0 ? Promise.resolve() : wait(ms, lanes.provider));
const forever = new Promise<never>(() => {});

/** Calls `onAbort` when the spec says that this provider listens to its signal. */
function listenToAbort(spec: ResponseSpec, signal: AbortSignal | undefined, onAbort: () => void): void {
  const { onAbort: after } = spec;
  if (typeof after !== "number" || !signal) return;
  const hear = () => (after === 0 ? onAbort() : void pause(after).then(onAbort));
  setMaxListeners(0, signal);
  if (signal.aborted) hear();
  else signal.addEventListener("abort", hear);
}

/** Pushes at the script's own pace, whether or not somebody reads. */
function pushed(response: ScriptedResponse, signal: AbortSignal | undefined): AssistantMessageEventStream {
  const { spec } = response;
  const stream = createAssistantMessageEventStream();
  let stopped = false;
  let ended = false;
  listenToAbort(spec, signal, () => {
    if (ended) return;
    stopped = true;
    stream.push(response.aborted());
  });
  const pump = async () => {
    if (spec.opens > 0 && spec.from === "stream") await pause(spec.opens);
    if (stopped) return;
    for (const event of response.events()) {
      ended ||= event.type === "done" || event.type === "error";
      stream.push(event);
      if (spec.pace > 0) await pause(spec.pace);
      // Before the next event is made, since a live message grows by that.
      if (stopped) return;
    }
    if (spec.end === "never") return;
    ended = true;
    if (spec.end === "no result") stream.end();
    else if (typeof spec.end === "object" && "result" in spec.end) stream.end(response.final());
  };
  void pump();
  return stream;
}

/** Is read at the reader's pace, notices when the reader leaves, and may break in the middle. */
function pulled(world: World, nth: number, response: ScriptedResponse, signal: AbortSignal | undefined) {
  const { spec } = response;
  let stop: () => void = () => {};
  const stopped = new Promise<"stopped">((resolve) => (stop = () => resolve("stopped")));
  listenToAbort(spec, signal, stop);
  let last: AssistantMessage | undefined;
  async function* read(): AsyncGenerator<AssistantMessageEvent> {
    try {
      if (spec.opens > 0 && (await Promise.race([pause(spec.opens), stopped])))
        return yield response.aborted();
      for (const event of response.events()) {
        if (event.type === "done") last = event.message;
        if (event.type === "error") last = event.error;
        yield event;
        if (spec.pace > 0 && (await Promise.race([pause(spec.pace), stopped])))
          return yield response.aborted();
      }
      if (spec.end === "never") return void (await Promise.race([stopped, forever]).then(() => {}));
      if (typeof spec.end === "object" && "breaks" in spec.end) throw new Error(spec.end.breaks);
    } finally {
      world.record({ kind: "streamClosed", nth });
    }
  }
  return {
    [Symbol.asyncIterator]: read,
    result: () => (spec.end === "no result" ? forever : Promise.resolve(last ?? response.final())),
  } as unknown as AssistantMessageEventStream;
}

function recordRequest(
  world: World,
  nth: number,
  model: Model<Api>,
  messages: Parameters<StreamFn>[1]["messages"],
  options: SimpleStreamOptions,
): void {
  const { apiKey, reasoning, sessionId, identity, transport, maxRetryDelayMs, thinkingBudgets } = options;
  const { onPayload, onResponse, onProviderStreamEvent } = options;
  const told = { apiKey, reasoning, sessionId, identity, transport, maxRetryDelayMs, thinkingBudgets };
  world.record({
    kind: "request",
    nth,
    model: model.id,
    messages: snapshot(messages),
    identities: world.identities(messages),
    options: snapshot({ ...told, onPayload, onResponse, onProviderStreamEvent }),
    aborted: options.signal?.aborted ?? null,
  });
}

export function buildStreamFn(world: World): StreamFn {
  return (model, context, options = {}) => {
    const nth = world.next("request");
    recordRequest(world, nth, model, context.messages, options);
    const spec = (world.calm ? undefined : world.script.responses[nth]) ?? closing;
    if (spec.from === "throws") throw new Error(`provider refuses request ${nth}`);
    if (spec.from === "rejects") {
      return pause(spec.opens).then(() => Promise.reject(new Error(`provider refuses request ${nth}`)));
    }
    const response = responseEvents(world, nth, spec, model);
    if (spec.from === "iterator") return pulled(world, nth, response, options.signal);
    if (spec.from === "promise") return pause(spec.opens).then(() => pushed(response, options.signal));
    return pushed(response, options.signal);
  };
}
