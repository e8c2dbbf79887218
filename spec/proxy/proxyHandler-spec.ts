import { afterEach, describe, expect, it } from "@jest/globals";
import {
  createAssistantMessageEventStream,
  type AssistantMessageEvent,
  type SimpleStreamOptions,
} from "@earendil-works/pi-ai";
import { concat, from, NEVER, Observable, of, throwError } from "rxjs";
import { emptyMessage } from "../../src/proxy/emptyMessage";
import { proxyHandler } from "../../src/proxy/proxyHandler";
import type { ProxyHandlerOptions } from "../../src/proxy/ProxyHandlerOptions";
import { streamProxy } from "../../src/proxy/streamProxy";
import type { ReactiveStreamFn } from "../../src/types/hooks";
import { collect } from "./support/collect";
import { deferred } from "./support/deferred";
import { everyOption } from "./support/everyOption";
import { context, model } from "./support/model";
import { nodeListener } from "./support/nodeListener";
import { startServer, stopServers } from "./support/startServer";
import { usage } from "./support/usage";

/** The server's own model behind the name that the client sends. */
const own = { ...model, baseUrl: "https://provider.example", headers: { "x-from": "server" } };

/** A short answer as a provider gives it. */
function* hello(): Generator<AssistantMessageEvent> {
  const partial = { ...emptyMessage(own), content: [{ type: "text" as const, text: "" }] };
  yield { type: "start", partial };
  yield { type: "text_start", contentIndex: 0, partial };
  partial.content[0]!.text = "hi";
  yield { type: "text_delta", contentIndex: 0, delta: "hi", partial };
  yield { type: "text_end", contentIndex: 0, content: "hi", partial };
  yield { type: "done", reason: "stop", message: { ...partial, stopReason: "stop", usage } };
}

const handlerOf = (options: Partial<ProxyHandlerOptions> = {}) =>
  proxyHandler({
    streamFn: () => from(hello()),
    authorize: (token) => token === "token",
    resolveModel: () => own,
    ...options,
  });

const post = (body: unknown, init: RequestInit = {}) =>
  new Request("http://proxy.example/api/stream", {
    method: "POST",
    headers: { authorization: "Bearer token" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });

const asked = { model, context, options: {} };
const ask = (proxyUrl: string, options = {}) =>
  streamProxy(model, context, { authToken: "token", proxyUrl, ...options });

/** Serves a handler on 127.0.0.1. */
const serve = (options: Partial<ProxyHandlerOptions>) => startServer(nodeListener(handlerOf(options)));

/** What our client makes of a server. */
const answerOf = async (options: Partial<ProxyHandlerOptions>) => collect(ask(await serve(options)));

afterEach(stopServers);

describe("proxyHandler", () => {
  it("streams the provider's events without partial", async () => {
    const response = await handlerOf()(post(asked));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(await response.text()).toBe(
      [
        { type: "start" },
        { type: "text_start", contentIndex: 0 },
        { type: "text_delta", contentIndex: 0, delta: "hi" },
        { type: "text_end", contentIndex: 0 },
        { type: "done", reason: "stop", usage },
      ]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join(""),
    );
  });

  it("gives streamFn the server's model, the client's context and options, and a signal", async () => {
    let given: unknown[] = [];
    const streamFn: ReactiveStreamFn = (...args) => ((given = args), from(hello()));
    const url = await serve({ streamFn });
    await collect(ask(url, { temperature: 0.5, sessionId: "s" }));
    expect(given).toEqual([
      own,
      context,
      { temperature: 0.5, sessionId: "s", signal: expect.any(AbortSignal) },
    ]);
  });

  it("takes a context with systemPrompt and tools too", async () => {
    let given: unknown;
    const streamFn: ReactiveStreamFn = (_model, context) => ((given = context), from(hello()));
    const tools = [{ name: "t", description: "", parameters: {} }];
    await (
      await handlerOf({ streamFn })(
        post({ model, context: { systemPrompt: "Be brief.", tools, messages: [] } }),
      )
    ).text();
    expect(given).toMatchObject({ messages: [{ role: "system", content: "Be brief.", toolsAdded: tools }] });
  });

  it("asks the provider when the client reads first, and only once", async () => {
    let requests = 0;
    const response = await handlerOf({ streamFn: () => (requests++, from(hello())) })(post(asked));
    expect(requests).toBe(0);
    await response.text();
    expect(requests).toBe(1);
  });

  it("serves many requests at once", async () => {
    const url = await serve({});
    const answers = await Promise.all(Array.from({ length: 10 }, () => collect(ask(url))));
    expect(answers.map(({ message }) => message.content)).toEqual(
      Array(10).fill([{ type: "text", text: "hi" }]),
    );
  });
});

describe("proxyHandler's refusals", () => {
  /** Status and error of a request that is refused. */
  async function refusal(request: Request, options: Partial<ProxyHandlerOptions> = {}) {
    const streamFn = () => {
      throw new Error("the provider must not be asked");
    };
    const response = await handlerOf({ streamFn, ...options })(request);
    expect(response.headers.get("content-type")).toMatch("application/json");
    const { error, ...rest } = (await response.json()) as { error: string };
    expect(rest).toEqual({});
    return [response.status, error];
  }

  it.each(["/", "/api", "/api/stream/", "/api/streams", "//api/stream/x"])(
    "knows no path %s",
    async (path) => {
      const request = new Request(`http://proxy.example${path}`, { method: "POST" });
      expect(await refusal(request)).toEqual([404, "expected a path that ends in /api/stream"]);
    },
  );

  it("serves below a path", async () => {
    const request = new Request("http://proxy.example/llm/api/stream?x=1", post(asked));
    expect((await handlerOf()(request)).status).toBe(200);
  });

  it.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("knows no %s", async (method) => {
    const response = await handlerOf()(new Request("http://proxy.example/api/stream", { method }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toEqual({ error: "expected POST" });
  });

  it.each([
    [{}],
    [{ authorization: "Bearer wrong" }],
    [{ authorization: "Basic token" }],
    [{ authorization: "token" }],
  ])("lets nobody in with %j", async (headers) => {
    expect(await refusal(post(asked, { headers }))).toEqual([401, "not authorized"]);
  });

  it.each(["Bearer token", "bearer token", "Bearer   token"])("lets in with %s", async (authorization) => {
    expect((await handlerOf()(post(asked, { headers: { authorization } }))).status).toBe(200);
  });

  it("asks for a bearer token", async () => {
    const response = await handlerOf()(post(asked, { headers: {} }));
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });

  it("hands authorize an empty token where there is none", async () => {
    const tokens: string[] = [];
    await handlerOf({ authorize: (token) => (tokens.push(token), false) })(post(asked, { headers: {} }));
    expect(tokens).toEqual([""]);
  });

  it.each([
    ["a truthy value that is not true", () => "yes" as unknown as boolean, 401],
    ["nothing", () => undefined as unknown as boolean, 401],
    ["a promise of false", () => Promise.resolve(false), 401],
    ["a promise of true", () => Promise.resolve(true), 200],
    ["an observable of true", () => of(true), 200],
    ["an empty observable", () => of<boolean>(), 401],
  ])("decides by an authorize that gives %s", async (_name, authorize, status) => {
    expect((await handlerOf({ authorize })(post(asked))).status).toBe(status);
  });

  it("reads nothing of a body that is not let in", async () => {
    let pulled = false;
    const body = new ReadableStream({ pull: () => void (pulled = true) }, { highWaterMark: 0 });
    const request = post("", { body, headers: {}, duplex: "half" } as RequestInit);
    expect(await refusal(request)).toEqual([401, "not authorized"]);
    expect(pulled).toBe(false);
  });

  const user = { role: "user", content: "hi", timestamp: 1 };
  it.each<[string, unknown]>([
    ["body: expected JSON", ""],
    ["body: expected JSON", "{"],
    ["body: expected an object", "[]"],
    ["body: expected an object", "null"],
    ["model: expected an object", { context }],
    ["model.id: expected a string", { ...asked, model: { ...model, id: 1 } }],
    ["model.provider: expected a string", { ...asked, model: { ...model, provider: undefined } }],
    ["model.api: expected a string", { ...asked, model: { ...model, api: null } }],
    ["context: expected an object", { model }],
    ["context.messages: expected an array", { model, context: {} }],
    ["context.systemPrompt: expected a string", { model, context: { messages: [], systemPrompt: 1 } }],
    ["context.tools: expected an array", { model, context: { messages: [], tools: {} } }],
    ["context.messages[1]: expected an object", { model, context: { messages: [user, "hi"] } }],
    [
      "context.messages[0].role: expected system, user, assistant, toolResult",
      { model, context: { messages: [{ ...user, role: "custom" }] } },
    ],
    [
      "context.messages[0].content: expected an array of blocks",
      { model, context: { messages: [{ role: "user" }] } },
    ],
    [
      "context.messages[0].content: expected an array of blocks",
      { model, context: { messages: [{ ...user, role: "assistant" }] } },
    ],
    [
      "context.messages[0].content[0]: expected an object",
      { model, context: { messages: [{ ...user, content: [null] }] } },
    ],
    ["options: expected an object", { ...asked, options: "fast" }],
    ["options.maxTokens: expected number", { ...asked, options: { maxTokens: "9" } }],
    ["options.headers: expected object", { ...asked, options: { headers: ["a"] } }],
    ["options.reasoning: expected string", { ...asked, options: { reasoning: null } }],
    ["options.deferred: expected boolean or object", { ...asked, options: { deferred: 1 } }],
  ])("names what is wrong: %s", async (error, body) => {
    expect(await refusal(post(body))).toEqual([400, error]);
  });

  it("takes a request without options", async () => {
    expect((await handlerOf()(post({ model, context }))).status).toBe(200);
  });

  it("refuses a body that is too large, and stops reading it", async () => {
    const cancelled = deferred();
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array((sent += 10) && 10)),
      cancel: () => cancelled.resolve(),
    });
    const request = post("", { body, duplex: "half" } as RequestInit);
    expect(await refusal(request, { maxBodyBytes: 100 })).toEqual([413, "body: expected at most 100 bytes"]);
    await cancelled.promise;
    expect(sent).toBeLessThan(200);
  });

  it("refuses a body that breaks off", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect(await refusal(post("", { body, duplex: "half" } as RequestInit))).toEqual([400, "request: gone"]);
  });

  it("refuses a model that resolveModel does not know", async () => {
    expect(await refusal(post(asked), { resolveModel: () => undefined })).toEqual([
      403,
      "model: echo/echo-1 is not available",
    ]);
  });

  it.each(["authorize", "resolveModel", "prepareOptions"] as const)(
    "keeps to itself why %s failed",
    async (name) => {
      const secret = new Error("database at 10.0.0.1 is down");
      for (const hook of [
        () => {
          throw secret;
        },
        () => Promise.reject(secret),
        () => throwError(() => secret),
      ]) {
        const told: unknown[] = [];
        const onError = (error: unknown) => told.push(error);
        expect(await refusal(post(asked), { [name]: hook, onError })).toEqual([500, `${name} failed`]);
        expect(told).toEqual([secret]);
      }
    },
  );

  it("is told to our client as the error's text", async () => {
    const { message } = await collect(
      streamProxy(model, context, { authToken: "wrong", proxyUrl: await serve({}) }),
    );
    expect(message).toMatchObject({ stopReason: "error", errorMessage: "Proxy error: not authorized" });
  });
});

describe("proxyHandler's trust", () => {
  it("shows resolveModel the model's name and nothing else of it", async () => {
    const seen: unknown[] = [];
    const resolveModel: ProxyHandlerOptions["resolveModel"] = (requested) => (seen.push(requested), own);
    await handlerOf({ resolveModel })(post(asked));
    expect(seen).toEqual([{ api: model.api, id: model.id, provider: model.provider }]);
  });

  const optionsGiven = async (prepareOptions?: ProxyHandlerOptions["prepareOptions"]) => {
    let given: SimpleStreamOptions | undefined;
    const streamFn: ReactiveStreamFn = (_model, _context, options) => ((given = options), from(hello()));
    const options = { ...everyOption, apiKey: "k", env: { A: "b" }, unknown: 1, __proto__x: 1 };
    await (await handlerOf({ streamFn, prepareOptions })(post({ ...asked, options }))).text();
    const { signal: _, ...rest } = given ?? {};
    return rest;
  };

  it("drops headers, sampling parameters and what is no option", async () => {
    const { headers: _, samplingParams: _s, ...rest } = everyOption;
    expect(await optionsGiven()).toEqual(rest);
  });

  it("takes what prepareOptions makes of every option", async () => {
    expect(await optionsGiven((options) => options)).toEqual(everyOption);
    expect(await optionsGiven(({ maxTokens }) => Promise.resolve({ maxTokens, apiKey: "own" }))).toEqual({
      maxTokens: 3,
      apiKey: "own",
    });
  });
});

describe("proxyHandler's provider", () => {
  const partial = emptyMessage(own);
  const start: AssistantMessageEvent = { type: "start", partial };
  const failing = new Error("No API key for provider: echo");
  const stall = new Promise<never>(() => {});

  it.each<[string, ReactiveStreamFn, string]>([
    [
      "throws",
      () => {
        throw failing;
      },
      failing.message,
    ],
    [
      "throws a string",
      () => {
        throw "plain";
      },
      "plain",
    ],
    ["rejects", () => Promise.reject(failing), failing.message],
    [
      "gives an observable that errors",
      () =>
        concat(
          of(start),
          throwError(() => failing),
        ),
      failing.message,
    ],
    [
      "gives an iterable that throws",
      async function* () {
        yield start;
        throw failing;
      },
      failing.message,
    ],
    ["gives nothing", () => undefined as never, "streamFn: expected an event stream, got undefined"],
    ["breaks off", () => of(start), "streamFn: the stream ended without a final event"],
    [
      "sends what does not fit",
      () => of<AssistantMessageEvent>({ type: "text_delta", contentIndex: 0, delta: "x", partial }),
      "Received text_delta for non-text content",
    ],
    [
      "sends what is no JSON",
      () =>
        of<AssistantMessageEvent>({
          type: "done",
          reason: "stop",
          message: { ...partial, usage: 1n as never },
        }),
      expect.stringMatching(/BigInt/) as unknown as string,
    ],
  ])("that %s ends as one error event", async (_name, streamFn, errorMessage) => {
    const { events, message } = await answerOf({ streamFn });
    expect(events.at(-1)).toEqual({ type: "error", reason: "error" });
    expect(message).toMatchObject({ stopReason: "error", errorMessage });
  });

  it("that tells its error has it passed on with what had come", async () => {
    const streamFn: ReactiveStreamFn = () =>
      from(
        [...hello()]
          .slice(0, 3)
          .concat({ type: "error", reason: "aborted", error: { ...partial, errorMessage: "cut", usage } }),
      );
    const { message } = await answerOf({ streamFn });
    expect(message).toMatchObject({ stopReason: "aborted", errorMessage: "cut", usage });
  });

  it.each([
    ["a done", "stop", { type: "done", reason: "stop" }],
    ["an error", "error", { type: "error", reason: "error" }],
  ] as const)(
    "whose stream ends without a final event gives its result as %s",
    async (_name, stopReason, last) => {
      const streamFn: ReactiveStreamFn = () => {
        const stream = createAssistantMessageEventStream();
        stream.push(start);
        stream.end({ ...partial, stopReason, content: [{ type: "text", text: "result" }] });
        return stream;
      };
      const { events, message } = await answerOf({ streamFn });
      expect(events.at(-1)).toEqual(last);
      expect(message.content).toEqual([{ type: "text", text: "result" }]);
    },
  );

  it("whose result never comes ends as an error", async () => {
    const streamFn: ReactiveStreamFn = () => {
      const stream = createAssistantMessageEventStream();
      stream.push(start);
      stream.end();
      return stream;
    };
    expect((await answerOf({ streamFn })).message.errorMessage).toBe(
      "streamFn: the stream ended without a final event",
    );
  });

  it("that goes on after its final event is not heard, and let go of", async () => {
    const returned = deferred();
    async function* endless() {
      try {
        yield* hello();
        yield* hello();
        await stall;
      } finally {
        returned.resolve();
      }
    }
    const { events } = await answerOf({ streamFn: endless });
    expect(events).toHaveLength([...hello()].length);
    await returned.promise;
  });

  it("is pulled only as the client reads", async () => {
    let pulls = 0;
    async function* endless(): AsyncGenerator<AssistantMessageEvent> {
      const live = { ...partial, content: [{ type: "text" as const, text: "" }] };
      yield start;
      yield { type: "text_start", contentIndex: 0, partial: live };
      for (;;) {
        pulls++;
        yield { type: "text_delta", contentIndex: 0, delta: "x".repeat(1000), partial: live };
      }
    }
    const { body } = await handlerOf({ streamFn: endless })(post(asked));
    const reader = body!.getReader();
    for (let read = 0; read < 10; read++) await reader.read();
    await new Promise(setImmediate);
    expect(pulls).toBeLessThanOrEqual(9);
    await reader.cancel();
  });
});

describe("proxyHandler's client", () => {
  it("that hangs up aborts the provider", async () => {
    const aborted = deferred();
    const returned = deferred();
    const streamFn: ReactiveStreamFn = async function* (_model, _context, options) {
      try {
        yield [...hello()][0]!;
        await new Promise((_, reject) => options?.signal?.addEventListener("abort", reject));
      } catch {
        aborted.resolve();
      } finally {
        returned.resolve();
      }
    } as ReactiveStreamFn;
    const abort = new AbortController();
    const stream = ask(await serve({ streamFn }), { signal: abort.signal });
    for await (const { type } of stream) if (type === "start") abort.abort();
    await aborted.promise;
    await returned.promise;
  });

  it("that hangs up before the provider has answered aborts it", async () => {
    const called = deferred();
    const aborted = deferred();
    const streamFn: ReactiveStreamFn = (_model, _context, options) => {
      options?.signal?.addEventListener("abort", () => aborted.resolve());
      called.resolve();
      return new Promise(() => {});
    };
    const abort = new AbortController();
    ask(await serve({ streamFn }), { signal: abort.signal });
    await called.promise;
    abort.abort();
    await aborted.promise;
  });

  it("that hangs up is unsubscribed from an observable provider", async () => {
    const left = deferred();
    const subscribed = deferred();
    const streamFn = () =>
      new Observable<AssistantMessageEvent>(() => {
        subscribed.resolve();
        return () => left.resolve();
      });
    const abort = new AbortController();
    ask(await serve({ streamFn }), { signal: abort.signal });
    await subscribed.promise;
    abort.abort();
    await left.promise;
  });

  it.each(["cancels the body", "aborts the request"])("that only %s aborts the provider", async (way) => {
    const signals: AbortSignal[] = [];
    const streamFn: ReactiveStreamFn = (_model, _context, options) => {
      signals.push(options!.signal!);
      return NEVER;
    };
    const gone = new AbortController();
    const response = await handlerOf({ streamFn })(post(asked, { signal: gone.signal }));
    const reader = response.body!.getReader();
    const read = reader.read();
    if (way === "cancels the body") await reader.cancel();
    else gone.abort();
    expect((await read).done).toBe(true);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("that reads to the end leaves the provider's signal alone", async () => {
    let signal: AbortSignal | undefined;
    const streamFn: ReactiveStreamFn = (_model, _context, options) => (
      (signal = options?.signal),
      from(hello())
    );
    await (await handlerOf({ streamFn })(post(asked))).text();
    expect(signal?.aborted).toBe(false);
  });

  it("gets comments while the provider is silent", async () => {
    const spoken = deferred();
    const streamFn: ReactiveStreamFn = async function* () {
      await spoken.promise;
      yield* hello();
    } as ReactiveStreamFn;
    const response = await handlerOf({ streamFn, heartbeatMs: 1 })(post(asked));
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toBe(":\n\n");
    expect((await reader.read()).value).toBe(":\n\n");
    spoken.resolve();
    let text = "";
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) text += chunk.value;
    expect(text.replaceAll(":\n\n", "")).toMatch(/^data: {"type":"start"}\n\n[^]*"done"[^]*}\n\n$/);
  });

  it("reads the same through comments", async () => {
    const streamFn: ReactiveStreamFn = async function* () {
      for (const event of hello()) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield event;
      }
    } as ReactiveStreamFn;
    const { message } = await answerOf({ streamFn, heartbeatMs: 1 });
    expect(message).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "hi" }] });
  });
});

describe("proxyHandler's options", () => {
  it.each<[object, string]>([
    [{ streamFn: undefined }, "proxyHandler: streamFn: expected a function, got undefined"],
    [{ authorize: true }, "proxyHandler: authorize: expected a function, got true"],
    [{ resolveModel: {} }, "proxyHandler: resolveModel: expected a function, got an object"],
    [{ prepareOptions: 1 }, "proxyHandler: prepareOptions: expected a function, got 1"],
    [{ onError: "log" }, 'proxyHandler: onError: expected a function, got "log"'],
    [{ heartbeatMs: -1 }, "proxyHandler: heartbeatMs: expected a number"],
    [{ maxBodyBytes: 0 }, "proxyHandler: maxBodyBytes: expected an integer ≥ 1, got 0"],
  ])("are checked: %j", (options, message) => {
    expect(() => handlerOf(options)).toThrow(message);
  });
});
