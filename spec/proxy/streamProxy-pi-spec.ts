import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { streamProxy as piStreamProxy } from "@earendil-works/pi-agent-core";
import type { AssistantMessageEventStream } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { streamProxy } from "../../src/proxy/streamProxy";
import { collect } from "./support/collect";
import { context, model } from "./support/model";
import { frame } from "./support/wire";
import { wireScript } from "./support/wireScript";

type Client = typeof piStreamProxy;

/** What a client sent, and what it made of a body. */
async function run(client: Client, body: string, options = {}) {
  const requests: unknown[] = [];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    requests.push([url, init?.method, init?.headers, JSON.parse(init?.body as string)]);
    return new Response(body);
  });
  const stream: AssistantMessageEventStream = client(model, context, {
    authToken: "token",
    proxyUrl: "https://proxy.example",
    ...options,
  });
  const { events, message } = await collect(stream);
  return {
    requests,
    events,
    message: JSON.parse(JSON.stringify({ ...message, timestamp: 0, durationMs: 0 })) as object,
  };
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe("streamProxy beside pi's", () => {
  it("makes the same events and the same message of what a server for pi sends", async () => {
    await fc.assert(
      fc.asyncProperty(wireScript, async (script) => {
        const body = script.map(frame).join("");
        expect(await run(streamProxy, body)).toEqual(await run(piStreamProxy, body));
      }),
      { numRuns: 200 },
    );
  });

  it("sends the same request, but for the options that pi leaves out", async () => {
    const options = {
      temperature: 0.5,
      sessionId: "s",
      headers: { a: null },
      apiKey: "secret",
      onPayload: () => {},
    };
    const [ours, pis] = [await run(streamProxy, "", options), await run(piStreamProxy, "", options)];
    expect(ours.requests).toEqual(pis.requests);
    const added = { identity: { version: "1" }, deferred: true, toolChoice: "none", maxRetries: 1 };
    const [[, , , { options: sent }]] = (await run(streamProxy, "", { ...options, ...added })).requests as [
      [0, 0, 0, { options: unknown }],
    ];
    expect(sent).toEqual({ temperature: 0.5, sessionId: "s", headers: { a: null }, ...added });
  });
});
