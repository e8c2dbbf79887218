import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { ProxyStreamOptions } from "../../src/proxy/ProxyStreamOptions";
import { streamProxy } from "../../src/proxy/streamProxy";
import { collect } from "./support/collect";
import { deferred } from "./support/deferred";
import { everyOption } from "./support/everyOption";
import { context, model } from "./support/model";
import { reply, type Received } from "./support/reply";
import { startServer, stopServers } from "./support/startServer";
import { usage } from "./support/usage";
import { frame, hello, helloContent } from "./support/wire";

const ask = (proxyUrl: string, options: Partial<ProxyStreamOptions> = {}) =>
  streamProxy(model, context, { authToken: "token", proxyUrl, ...options });

/** What a client makes of a body. */
const answerTo = async (...args: Parameters<typeof reply>) => collect(ask(await startServer(reply(...args))));

/** The one error that a client makes of a body. */
async function errorOf(...args: Parameters<typeof reply>) {
  const { events, message } = await answerTo(...args);
  expect(events.filter((event) => "reason" in event)).toEqual([{ type: "error", reason: "error" }]);
  expect(events.at(-1)).toEqual({ type: "error", reason: "error" });
  expect(message.stopReason).toBe("error");
  return message.errorMessage;
}

const start = frame({ type: "start" });
const textStart = frame({ type: "text_start", contentIndex: 0 });
const done = frame({ type: "done", reason: "stop", usage });

afterEach(async () => {
  jest.restoreAllMocks();
  await stopServers();
});

describe("streamProxy", () => {
  it("posts model, context and options to /api/stream with the token", async () => {
    const received: Received[] = [];
    const url = await startServer(reply(hello.map(frame), {}, (one) => received.push(one)));
    await collect(ask(url));
    expect(received).toHaveLength(1);
    const [{ request, body }] = received as [Received];
    expect(request).toMatchObject({ method: "POST", url: "/api/stream" });
    expect(request.headers).toMatchObject({
      authorization: "Bearer token",
      "content-type": "application/json",
    });
    expect(JSON.parse(body)).toEqual({ model, context, options: {} });
  });

  it("takes a proxyUrl with a path and with slashes at its end", async () => {
    const paths: unknown[] = [];
    const url = await startServer(reply(hello.map(frame), {}, ({ request }) => paths.push(request.url)));
    await collect(ask(`${url}/`));
    await collect(ask(`${url}/llm//`));
    expect(paths).toEqual(["/api/stream", "/llm/api/stream"]);
  });

  it("forwards every serialisable option, no secret and no function", async () => {
    const bodies: string[] = [];
    const url = await startServer(reply(hello.map(frame), {}, ({ body }) => bodies.push(body)));
    const local = {
      apiKey: "secret-key",
      env: { KEY: "secret-env" },
      signal: new AbortController().signal,
      telemetry: { secret: "span" },
      onPayload: () => {},
      convertToLlm: () => [],
      tools: [{ name: "secret-tool" }],
    };
    await collect(ask(url, { ...everyOption, ...local }));
    expect((JSON.parse(bodies[0]!) as { options: unknown }).options).toEqual(everyOption);
    expect(bodies[0]).not.toContain("secret");
    expect(bodies[0]).not.toContain("token");
  });

  it("rebuilds text, thinking and tool calls", async () => {
    const { events, message } = await answerTo(
      [
        { type: "start" },
        { type: "thinking_start", contentIndex: 0 },
        { type: "thinking_delta", contentIndex: 0, delta: "hm" },
        { type: "thinking_end", contentIndex: 0, contentSignature: "t" },
        { type: "text_start", contentIndex: 1 },
        { type: "text_delta", contentIndex: 1, delta: "ok" },
        { type: "text_end", contentIndex: 1 },
        { type: "toolcall_start", contentIndex: 2, id: "c1", toolName: "read" },
        { type: "toolcall_delta", contentIndex: 2, delta: '{"path":' },
        { type: "toolcall_delta", contentIndex: 2, delta: '"a"}' },
        {
          type: "toolcall_end",
          contentIndex: 2,
          toolCall: {
            type: "toolCall",
            id: "c1",
            name: "read",
            arguments: { path: "a" },
            thoughtSignature: "th",
          },
        },
        { type: "done", reason: "toolUse", usage, providerThinkingLevel: "max" },
      ].map(frame),
    );
    const toolCall = {
      type: "toolCall",
      id: "c1",
      name: "read",
      arguments: { path: "a" },
      thoughtSignature: "th",
    };
    expect(events).toEqual([
      { type: "start" },
      { type: "thinking_start", contentIndex: 0 },
      { type: "thinking_delta", contentIndex: 0, delta: "hm" },
      { type: "thinking_end", contentIndex: 0, content: "hm" },
      { type: "text_start", contentIndex: 1 },
      { type: "text_delta", contentIndex: 1, delta: "ok" },
      { type: "text_end", contentIndex: 1, content: "ok" },
      { type: "toolcall_start", contentIndex: 2 },
      { type: "toolcall_delta", contentIndex: 2, delta: '{"path":' },
      { type: "toolcall_delta", contentIndex: 2, delta: '"a"}' },
      { type: "toolcall_end", contentIndex: 2, toolCall },
      { type: "done", reason: "toolUse" },
    ]);
    expect(message).toEqual({
      role: "assistant",
      api: model.api,
      provider: model.provider,
      model: model.id,
      stopReason: "toolUse",
      usage,
      providerThinkingLevel: "max",
      content: [
        { type: "thinking", thinking: "hm", thinkingSignature: "t" },
        { type: "text", text: "ok" },
        toolCall,
      ],
      timestamp: expect.any(Number),
      durationMs: expect.any(Number),
    });
  });

  it("shows one live message in all events, as in pi", async () => {
    const seen: AssistantMessageEvent[] = [];
    for await (const event of ask(await startServer(reply(hello.map(frame))))) seen.push(event);
    const messages = seen.map((event) => {
      if (event.type === "done") return event.message;
      return event.type === "error" ? event.error : event.partial;
    });
    expect(new Set(messages).size).toBe(1);
  });

  it("shows each event as it comes", async () => {
    const asked = deferred<Received>();
    const events = ask(await startServer(reply([], { then: "stall" }, asked.resolve)))[
      Symbol.asyncIterator
    ]();
    const { response } = await asked.promise;
    response.write(start);
    expect(await events.next()).toMatchObject({ value: { type: "start" } });
    // No blank line: a server written for pi's client may never send one.
    response.write(textStart.trimEnd() + "\n");
    expect(await events.next()).toMatchObject({ value: { type: "text_start" } });
  });
});

describe("streamProxy's dialects", () => {
  const json = hello.map((event) => JSON.stringify(event));
  const spread = (event: object) =>
    JSON.stringify(event, null, 2)
      .split("\n")
      .map((line) => `data: ${line}\n`)
      .join("") + "\n";

  it.each([
    ["data: with a space", json.map((data) => `data: ${data}\n\n`)],
    ["data: without a space", json.map((data) => `data:${data}\n\n`)],
    ["CRLF", json.map((data) => `data: ${data}\r\n\r\n`)],
    ["CR", json.map((data) => `data: ${data}\r\r`)],
    ["comments", json.map((data) => `: ping\n\ndata: ${data}\n: pong\n\n`)],
    [
      "event, id and retry lines",
      json.map((data, id) => `event: message\nid: ${id}\nretry: 5\ndata: ${data}\n\n`),
    ],
    ["one event over several data lines", hello.map(spread)],
    ["a single newline after each event", json.map((data) => `data: ${data}\n`)],
    ["several events in one event's lines", [json.map((data) => `data: ${data}\n`).join("") + "\n"]],
    ["no final newline", [json.map((data) => `data: ${data}`).join("\n\n")]],
    ["a byte order mark", ["\uFEFF", ...hello.map(frame)]],
    ["white space around the JSON", json.map((data) => `data:   ${data}  \n\n`)],
    ["everything in one chunk", [hello.map(frame).join("")]],
    ["one byte a chunk", [...Buffer.from(hello.map(frame).join(""))].map((byte) => Uint8Array.of(byte))],
  ])("reads %s", async (_name, pieces) => {
    const { events, message } = await answerTo(pieces);
    expect(events.map((event) => (event as AssistantMessageEvent).type)).toEqual(
      hello.map((event) => (event as { type: string }).type),
    );
    expect(message).toMatchObject({ stopReason: "stop", usage, content: helloContent });
  });

  it("skips events of types it does not know, and JSON that is no event", async () => {
    const { events, message } = await answerTo([
      start,
      frame({ type: "ping" }),
      frame({ type: "__proto__" }),
      frame({ type: "constructor", contentIndex: 0 }),
      frame({}),
      "data: 1\n\ndata: null\n\ndata: []\n\n",
      done,
    ]);
    expect(events).toEqual([{ type: "start" }, { type: "done", reason: "stop" }]);
    expect(message.content).toEqual([]);
  });

  it("reads data that is no JSON line by line, as pi does", async () => {
    const { events, message } = await answerTo([
      'data: 1\ndata: {"type":"start"}\ndata: {"type":"text_start","contentIndex":0}\ndata: nonsense\n\n',
    ]);
    expect(events).toEqual([
      { type: "start" },
      { type: "text_start", contentIndex: 0 },
      { type: "error", reason: "error" },
    ]);
    expect(message.errorMessage).toBe("Proxy error: malformed event, not JSON: nonsense");
  });

  it("needs no start event, as pi", async () => {
    const { message } = await answerTo(hello.slice(1).map(frame));
    expect(message).toMatchObject({ stopReason: "stop", content: helloContent });
  });
});

describe("streamProxy's errors", () => {
  const brokenOff = "Connection closed by proxy server before the response completed";

  it.each([
    ["at once", []],
    ["after the start", [start]],
    ["in a block", [start, textStart, frame({ type: "text_delta", contentIndex: 0, delta: "half" })]],
    ["after comments alone", [": ping\n\n"]],
    ["after data: [DONE]-less text", ["hello\n\n"]],
  ])("names an end %s", async (_name, pieces) => {
    expect(await errorOf(pieces)).toBe(brokenOff);
  });

  it("keeps what had come", async () => {
    const delta = frame({ type: "text_delta", contentIndex: 0, delta: "half" });
    const { message } = await answerTo([start, textStart, delta]);
    expect(message).toMatchObject({ content: [{ type: "text", text: "half" }], errorMessage: brokenOff });
  });

  it.each([
    ["an HTML page", "<!doctype html><html><body>Sign in</body></html>", "text/html"],
    ["HTML after white space", "\r\n\t <html>", "text/html; charset=utf-8"],
    ["HTML that calls itself an event stream", "\uFEFF<html>data: {}\n\n", "text/event-stream"],
  ])("names %s", async (_name, body, type) => {
    expect(await errorOf([body], { headers: { "content-type": type } })).toBe(
      "Proxy error: expected an event stream, got HTML",
    );
    expect(await errorOf([...Buffer.from(body)].map((byte) => Uint8Array.of(byte)))).toBe(
      "Proxy error: expected an event stream, got HTML",
    );
  });

  it.each([
    ["data: {not json}\n\n", "{not json}"],
    ["data: [DONE]\n\n", "[DONE]"],
    [
      'data: {"type":"text_delta","contentIndex":0,"delta":"cut off',
      '{"type":"text_delta","contentIndex":0,"delta":"cut off',
    ],
    [`data: ${"x".repeat(500)}\n\n`, "x".repeat(120)],
  ])("names malformed JSON: %j", async (body, shown) => {
    expect(await errorOf([start, body])).toBe(`Proxy error: malformed event, not JSON: ${shown}`);
  });

  it.each([
    [
      "a text delta without a start",
      { type: "text_delta", contentIndex: 0, delta: "x" },
      "Received text_delta for non-text content",
    ],
    [
      "a text end without a start",
      { type: "text_end", contentIndex: 0 },
      "Received text_end for non-text content",
    ],
    [
      "a thinking delta without a start",
      { type: "thinking_delta", contentIndex: 0, delta: "x" },
      "Received thinking_delta for non-thinking content",
    ],
    [
      "a thinking end without a start",
      { type: "thinking_end", contentIndex: 0 },
      "Received thinking_end for non-thinking content",
    ],
    [
      "a tool call delta without a start",
      { type: "toolcall_delta", contentIndex: 0, delta: "{" },
      "Received toolcall_delta for non-toolCall content",
    ],
    [
      "a tool call end without a start",
      { type: "toolcall_end", contentIndex: 0, toolCall: {} },
      "Received toolcall_end for non-toolCall content",
    ],
    [
      "an index that is a name",
      { type: "text_delta", contentIndex: "__proto__", delta: "x" },
      "Received text_delta for non-text content",
    ],
    [
      "a start at a name",
      { type: "text_start", contentIndex: "length" },
      'Received text_start for content "length", expected 0',
    ],
    [
      "a start that leaves a gap",
      { type: "text_start", contentIndex: 1 },
      "Received text_start for content 1, expected 0",
    ],
    [
      "a start at a negative index",
      { type: "thinking_start", contentIndex: -1 },
      "Received thinking_start for content -1, expected 0",
    ],
    [
      "a tool call without an id",
      { type: "toolcall_start", contentIndex: 0, toolName: "t" },
      "Received toolcall_start without id",
    ],
    [
      "a tool call without a name",
      { type: "toolcall_start", contentIndex: 0, id: "c" },
      "Received toolcall_start without toolName",
    ],
    ["an end without a reason", { type: "done", usage }, "Received done without reason"],
  ])("names %s", async (_name, event, message) => {
    expect(await errorOf([start, frame(event), done])).toBe(message);
  });

  it("names a delta for a block of another kind", async () => {
    const delta = frame({ type: "thinking_delta", contentIndex: 0, delta: "x" });
    expect(await errorOf([start, textStart, delta, done])).toBe(
      "Received thinking_delta for non-thinking content",
    );
  });

  it("names a delta without text", async () => {
    const delta = frame({ type: "text_delta", contentIndex: 0 });
    expect(await errorOf([start, textStart, delta, done])).toBe("Received text_delta without delta");
  });

  it("names a delta after its tool call's end", async () => {
    const at = { contentIndex: 0 };
    const call = [
      { type: "toolcall_start", ...at, id: "c", toolName: "t" },
      { type: "toolcall_end", ...at },
    ];
    const late = { type: "toolcall_delta", ...at, delta: "{" };
    expect(await errorOf([...call, late].map(frame))).toBe(
      "Received toolcall_delta for non-toolCall content",
    );
  });

  it.each([
    [401, '{"error":"not authorized"}', "Proxy error: not authorized"],
    [400, '{"error":{"message":"bad model","code":7}}', "Proxy error: bad model"],
    [500, '{"error":{}}', "Proxy error: 500 Internal Server Error"],
    [500, '{"error":null}', "Proxy error: 500 Internal Server Error"],
    [502, "null", "Proxy error: 502 Bad Gateway"],
    [502, "<html>Bad gateway</html>", "Proxy error: 502 Bad Gateway"],
    [503, "", "Proxy error: 503 Service Unavailable"],
    [599, "", "Proxy error: 599 unknown"],
  ])("names the HTTP error %i %s", async (status, body, message) => {
    expect(await errorOf([body], { status, headers: { "content-type": "application/json" } })).toBe(message);
  });

  it("names an HTTP error whose body is cut off", async () => {
    expect(await errorOf(['{"error":'], { status: 500, then: "destroy" })).toBe(
      "Proxy error: 500 Internal Server Error",
    );
  });

  it("names a connection that is refused", async () => {
    const url = await startServer(() => {});
    await stopServers();
    const { events, message } = await collect(ask(url));
    expect(events).toEqual([{ type: "error", reason: "error" }]);
    expect(message.errorMessage).toMatch(/^Proxy error: network error: fetch failed \(connect ECONNREFUSED/);
  });

  it("names a connection that is lost", async () => {
    expect(await errorOf([start, textStart], { then: "destroy" })).toMatch(
      /^Proxy error: connection lost: terminated/,
    );
  });

  it("names a response without a body", async () => {
    expect(await errorOf([], { status: 204 })).toBe("Proxy error: the response (204) has no body");
  });

  it("passes the server's own error on", async () => {
    const error = {
      type: "error",
      reason: "error",
      errorMessage: "overloaded",
      usage,
      providerThinkingLevel: "low",
    };
    const { events, message } = await answerTo([start, textStart, frame(error)]);
    expect(events.at(-1)).toEqual({ type: "error", reason: "error" });
    expect(message).toMatchObject({ errorMessage: "overloaded", usage, providerThinkingLevel: "low" });
  });

  it("names a request that cannot be written as JSON", async () => {
    const url = await startServer(() => {});
    const { message } = await collect(ask(url, { metadata: { big: 1n } }));
    expect(message).toMatchObject({ stopReason: "error", errorMessage: expect.stringMatching(/BigInt/) });
  });

  it.each([
    [{ proxyUrl: undefined }, "streamProxy: proxyUrl: expected a string"],
    [{ authToken: undefined }, "streamProxy: authToken: expected a string"],
  ])("names a missing option: %o", async (options, message) => {
    const stream = ask("http://127.0.0.1", options);
    expect((await collect(stream)).message.errorMessage).toBe(message);
  });

  it("keeps the zeroes of usage where the server sends none", async () => {
    const { message } = await answerTo([start, frame({ type: "done", reason: "stop" })]);
    expect(message.usage).toMatchObject({ input: 0, totalTokens: 0, cost: { total: 0 } });
  });

  it("parses the arguments once in full where the end holds no call", async () => {
    const call = [
      { type: "toolcall_start", contentIndex: 0, id: "c", toolName: "t" },
      { type: "toolcall_delta", contentIndex: 0, delta: '{"a": tru' },
      { type: "toolcall_end", contentIndex: 0 },
    ];
    const { message } = await answerTo([start, ...call.map(frame), done]);
    expect(message.content).toEqual([
      {
        type: "toolCall",
        id: "c",
        name: "t",
        arguments: {},
        argumentsError: expect.stringContaining('{"a": tru'),
      },
    ]);
  });
});

describe("streamProxy after the final event", () => {
  it.each([
    ["another end", frame({ type: "error", reason: "error", errorMessage: "late", usage })],
    ["a delta", frame({ type: "text_delta", contentIndex: 0, delta: "late" })],
    ["malformed JSON", "data: [DONE]\n\n"],
    ["HTML", "<html>"],
  ])("ignores %s", async (_name, late) => {
    for (const pieces of [[...hello.map(frame), late], [hello.map(frame).join("") + late]]) {
      const { events, message } = await answerTo(pieces);
      expect(events).toHaveLength(hello.length);
      expect(events.at(-1)).toEqual({ type: "done", reason: "stop" });
      const before = structuredClone(message);
      await stopServers();
      expect(message).toEqual(before);
      expect(message).toMatchObject({ stopReason: "stop", content: helloContent });
      expect(message.errorMessage).toBeUndefined();
    }
  });

  it("ignores a lost connection", async () => {
    const { message } = await answerTo(hello.map(frame), { then: "destroy" });
    expect(message).toMatchObject({ stopReason: "stop", content: helloContent });
  });

  it("ignores an abort", async () => {
    const abort = new AbortController();
    const stream = ask(await startServer(reply(hello.map(frame), { then: "stall" })), {
      signal: abort.signal,
    });
    const message = await stream.result();
    abort.abort();
    expect((await collect(stream)).events.at(-1)).toEqual({ type: "done", reason: "stop" });
    expect(message.stopReason).toBe("stop");
  });

  it("lets the response end by itself, so that its connection can serve again", async () => {
    const asked = deferred<Received>();
    const url = await startServer(reply(hello.map(frame), { then: "stall" }, asked.resolve));
    await collect(ask(url));
    const { response } = await asked.promise;
    // The end comes later than the final event, here by the time of a whole other request.
    await answerTo(hello.map(frame));
    expect(response.destroyed).toBe(false);
    const finished = once(response, "finish");
    response.end();
    await finished;
  });

  it("hangs up on a response that does not end", async () => {
    const asked = deferred<Received>();
    const url = await startServer(reply(hello.map(frame), { then: "stall" }, asked.resolve));
    const { message } = await collect(ask(url));
    const { response } = await asked.promise;
    await once(response, "close");
    expect(message.stopReason).toBe("stop");
  });
});

describe("streamProxy's abort", () => {
  const aborted = { stopReason: "aborted", errorMessage: "Request aborted by user" };

  it("ends at once while the server stalls before it answers", async () => {
    const abort = new AbortController();
    const asked = deferred<ServerResponse>();
    const url = await startServer((request, response) => asked.resolve(response));
    const stream = ask(url, { signal: abort.signal });
    const closed = once(await asked.promise, "close");
    abort.abort();
    const { events, message } = await collect(stream);
    expect(events).toEqual([{ type: "error", reason: "aborted" }]);
    expect(message).toMatchObject({ ...aborted, content: [] });
    await closed;
  });

  it("ends at once while the server stalls in its answer, with what had come", async () => {
    const abort = new AbortController();
    const asked = deferred<Received>();
    const half = [start, textStart, frame({ type: "text_delta", contentIndex: 0, delta: "half" })];
    const url = await startServer(reply(half, { then: "stall" }, asked.resolve));
    const stream = ask(url, { signal: abort.signal });
    const closed = once((await asked.promise).response, "close");
    for await (const event of stream) if (event.type === "text_delta") break;
    abort.abort();
    const { events, message } = await collect(stream);
    expect(events).toEqual([{ type: "error", reason: "aborted" }]);
    expect(message).toMatchObject({ ...aborted, content: [{ type: "text", text: "half" }] });
    await closed;
  });

  it("ends at once while an HTTP error's body stalls", async () => {
    const abort = new AbortController();
    const asked = deferred();
    const url = await startServer(
      reply(['{"error":'], { status: 500, then: "stall" }, () => asked.resolve()),
    );
    const stream = ask(url, { signal: abort.signal });
    await asked.promise;
    abort.abort();
    expect((await collect(stream)).message).toMatchObject(aborted);
  });

  it("makes no request when it has come already", async () => {
    const requests: Received[] = [];
    const url = await startServer(reply(hello.map(frame), {}, (one) => requests.push(one)));
    const fetched = jest.spyOn(globalThis, "fetch");
    const { events, message } = await collect(ask(url, { signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: "error", reason: "aborted" }]);
    expect(message).toMatchObject(aborted);
    expect(fetched).not.toHaveBeenCalled();
  });

  it("ends at once although fetch and the body do not listen", async () => {
    const abort = new AbortController();
    const cancelled = deferred();
    const read = deferred();
    const body = new ReadableStream(
      { pull: () => read.resolve(), cancel: () => cancelled.resolve() },
      { highWaterMark: 0 },
    );
    jest.spyOn(globalThis, "fetch").mockImplementation(async () => new Response(body));
    const stream = ask("http://127.0.0.1", { signal: abort.signal });
    await read.promise;
    abort.abort();
    expect((await collect(stream)).message).toMatchObject(aborted);
    await cancelled.promise;
  });

  it("leaves no listener on the signal", async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, "addEventListener");
    const removed = jest.spyOn(signal, "removeEventListener");
    const url = await startServer(reply(hello.map(frame)));
    for (let turn = 0; turn < 20; turn++) await collect(ask(url, { signal }));
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
      added.mock.calls.map(([type, listener]) => [type, listener]),
    );
  });
});
