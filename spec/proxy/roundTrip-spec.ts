import { afterEach, describe, expect, it } from "@jest/globals";
import { streamProxy as piStreamProxy } from "@earendil-works/pi-agent-core";
import { createAssistantMessageEventStream, type AssistantMessageEvent } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { from } from "rxjs";
import { proxyHandler } from "../../src/proxy/proxyHandler";
import { streamProxy } from "../../src/proxy/streamProxy";
import type { ReactiveStreamFn } from "../../src/types/hooks";
import { collect, type Collected } from "./support/collect";
import { context, model } from "./support/model";
import { nodeListener } from "./support/nodeListener";
import { play, script, type Script } from "./support/script";
import { startServer, stopServers } from "./support/startServer";

afterEach(stopServers);

const options = { authToken: "token" };

/** The response as an event stream of pi's, all of it at once or event by event. */
function eventStream(events: Iterable<AssistantMessageEvent>) {
  const stream = createAssistantMessageEventStream();
  for (const event of events) stream.push(event);
  return stream;
}

async function* slowly(events: Iterable<AssistantMessageEvent>) {
  for (const event of events) {
    yield event;
    await Promise.resolve();
  }
}

const shapes: Record<string, (played: Script) => ReturnType<ReactiveStreamFn>> = {
  "an event stream": (played) => eventStream(play(played)),
  "a promise of an event stream": (played) => Promise.resolve(eventStream(play(played))),
  "an async iterable": (played) => slowly(play(played)),
  "an observable": (played) => from(play(played)),
};

/** Cuts a body anew, wherever it was cut before. */
function recut(sizes: readonly number[]): TransformStream<Uint8Array, Uint8Array> {
  let at = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (let rest = chunk; rest.length > 0;) {
        const size = sizes[at++ % sizes.length]!;
        controller.enqueue(rest.subarray(0, size));
        rest = rest.subarray(size);
      }
    },
  });
}

/** What a response is but for its clock, and for how a live message looked when it was read. */
const plain = ({ events, message }: Collected): unknown =>
  JSON.parse(JSON.stringify({ events, message: { ...message, timestamp: 0, durationMs: 0 } }));

describe("streamProxy and proxyHandler", () => {
  it.each(Object.entries(shapes))("give what the provider gives directly: %s", async (_name, shape) => {
    let played!: Script;
    let sizes: number[] = [];
    const handler = proxyHandler({
      streamFn: () => shape(played),
      authorize: (token) => token === "token",
      resolveModel: () => model,
    });
    const proxyUrl = await startServer(
      nodeListener(async (request) => {
        const response = await handler(request);
        return new Response(response.body!.pipeThrough(recut(sizes)), response);
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        script,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
        async (next, cuts) => {
          played = next;
          sizes = cuts;
          const direct = await collect(eventStream(play(next)));
          expect(plain(await collect(streamProxy(model, context, { ...options, proxyUrl })))).toEqual(
            plain(direct),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it("serve pi's client as well", async () => {
    const played: Script = {
      blocks: [
        { type: "thinking", deltas: ["h", "m"], signature: "t" },
        { type: "text", deltas: ["ok"] },
        { type: "toolCall", id: "c", name: "read", json: ['{"a":', "1}"] },
      ],
      open: false,
      ending: { stopReason: "toolUse", responseId: "r" },
      untold: false,
    };
    const handler = proxyHandler({
      streamFn: () => eventStream(play(played)),
      authorize: () => true,
      resolveModel: () => model,
    });
    const proxyUrl = await startServer(nodeListener(handler));
    const { responseId: _, ...direct } = await eventStream(play(played)).result();
    const { events, message } = await collect(piStreamProxy(model, context, { ...options, proxyUrl }));
    expect(events).toHaveLength([...play(played)].length);
    expect(message).toEqual({ ...direct, timestamp: expect.any(Number), durationMs: expect.any(Number) });
  });
});
