import type { SimpleStreamOptions } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { firstValueFrom, last, map, of, throwError, timer } from "rxjs";
import { agentRun, DEFAULT_AGENT_IDENTITY, type ReactiveAgentOptions } from "pi-agent-rx";
import { answer, calls, model, user } from "./support/messages";
import { scripted } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

const noop = () => undefined;

async function optionsWith(options: Partial<ReactiveAgentOptions>): Promise<SimpleStreamOptions> {
  const { agent, requests } = setUp(options);
  await agent.prompt("hello");
  expect(agent.state.errorMessage).toBeUndefined();
  return requests[0]!.options;
}

describe("what reaches the provider", () => {
  it("is the api key that getApiKey gives for the model's provider", async () => {
    const asked: string[] = [];
    const getApiKey = (provider: string) => {
      asked.push(provider);
      return "secret";
    };
    expect(await optionsWith({ getApiKey })).toMatchObject({ apiKey: "secret" });
    expect(asked).toEqual(["tests"]);
  });

  it.each<[string, ReactiveAgentOptions["getApiKey"]]>([
    ["a promise", async () => "secret"],
    ["an observable", () => of("secret")],
  ])("is the api key of %s", async (_what, getApiKey) => {
    expect((await optionsWith({ getApiKey })).apiKey).toBe("secret");
  });

  it("is a fresh api key for every request", async () => {
    let nth = 0;
    const { agent, requests } = setUp({
      responses: [calls("a")],
      tools: [tool()],
      getApiKey: () => `key ${++nth}`,
    });
    await agent.prompt("hello");
    expect(requests.map(({ options }) => options.apiKey)).toEqual(["key 1", "key 2"]);
  });

  it("is the api key of the provider that prepareRequest chose", async () => {
    const asked: string[] = [];
    const { agent, requests } = setUp({
      prepareRequest: () => ({
        model: { ...model, id: "other", provider: "elsewhere" },
        thinkingLevel: "high",
      }),
      getApiKey: (provider) => void asked.push(provider),
    });
    await agent.prompt("hello");
    expect(asked).toEqual(["elsewhere"]);
    expect(requests[0]).toMatchObject({ model: "other", options: { reasoning: "high" } });
    expect(agent.state.messages.at(-1)).toMatchObject({ thinkingLevel: "high" });
  });

  it("is no api key when getApiKey gives none", async () => {
    expect((await optionsWith({ getApiKey: () => undefined })).apiKey).toBeUndefined();
  });

  it("is an error of getApiKey's, not a request, when it fails", async () => {
    const { agent, requests } = setUp({ getApiKey: () => throwError(() => new Error("locked")) });
    await agent.prompt("hello");
    expect(requests).toEqual([]);
    expect(agent.state.errorMessage).toBe("locked");
  });

  it.each([
    ["sessionId", "s-1"],
    ["thinkingBudgets", { low: 10 }],
    ["transport", "sse"],
    ["maxRetryDelayMs", 30],
    ["onPayload", noop],
    ["onResponse", noop],
    ["onProviderStreamEvent", noop],
  ] as const)("is the agent's %s", async (name, value) => {
    expect((await optionsWith({ [name]: value }))[name]).toBe(value);
  });

  it("is transport auto when nothing else was asked for", async () => {
    expect((await optionsWith({})).transport).toBe("auto");
  });

  it("is the identity, merged over the default", async () => {
    expect((await optionsWith({})).identity).toEqual(DEFAULT_AGENT_IDENTITY);
    const identity = { version: "1.2.3" };
    expect((await optionsWith({ identity })).identity).toEqual({ ...DEFAULT_AGENT_IDENTITY, ...identity });
  });

  it("is the thinking level as reasoning, and no reasoning when it is off", async () => {
    const high = await optionsWith({ initialState: { thinkingLevel: "high" } });
    expect(high.reasoning).toBe("high");
    expect((await optionsWith({})).reasoning).toBeUndefined();
  });

  it("is the run's signal", async () => {
    const { agent, requests } = setUp();
    const settled = agent.prompt("hello");
    const { signal } = agent;
    await settled;
    expect(requests[0]!.options.signal).toBe(signal);
  });

  it("is whatever else stands in the low-level config, headers for one", async () => {
    const { streamFn, requests } = scripted([]);
    const run$ = agentRun({
      prompts: [user("hello")],
      context: { messages: [] },
      config: {
        model,
        convertToLlm: (messages) => messages,
        headers: { "x-spec": "1" },
        temperature: 0.5,
        apiKey: "from the config",
      },
      streamFn,
    });
    await firstValueFrom(run$.pipe(last()));
    expect(requests[0]!.options).toMatchObject({
      headers: { "x-spec": "1" },
      temperature: 0.5,
      apiKey: "from the config",
    });
  });

  it("is an assigned setting from the next run on", async () => {
    const { agent, requests } = setUp();
    await agent.prompt("hello");
    agent.sessionId = "s-2";
    agent.getApiKey = () => "later";
    await agent.prompt("again");
    expect(requests.map(({ options }) => [options.sessionId, options.apiKey])).toEqual([
      [undefined, undefined],
      ["s-2", "later"],
    ]);
  });
});

describe("what is recorded", () => {
  it("is the thinking level on every answer, also in the next request", async () => {
    const { agent, requests } = setUp({
      responses: [calls("a")],
      tools: [tool()],
      initialState: { thinkingLevel: "low" },
    });
    await agent.prompt("hello");
    expect(agent.state.messages.at(-1)).toMatchObject({ role: "assistant", thinkingLevel: "low" });
    expect(requests[1]!.messages.find(({ role }) => role === "assistant")).toMatchObject({
      thinkingLevel: "low",
    });
  });

  it("is the level off when none was asked for", async () => {
    const { agent } = setUp();
    await agent.prompt("hello");
    expect(agent.state.messages.at(-1)).toMatchObject({ thinkingLevel: "off" });
  });

  it("is durationMs on executed calls' ends and results, also in the next request", async () => {
    const { agent, events, requests } = setUp({
      responses: [calls("a")],
      tools: [tool(() => ({ content: [], details: undefined }))],
    });
    await agent.prompt("hello");
    const { durationMs } = only(events, "tool_execution_end")[0]!;
    expect(Number.isInteger(durationMs)).toBe(true);
    const told = requests[1]!.messages.find(({ role }) => role === "toolResult");
    expect(told).toMatchObject({ durationMs });
  });

  it("is no durationMs on calls that did not run", async () => {
    const { agent, events } = setUp({ responses: [calls("a")] });
    await agent.prompt("hello");
    expect(only(events, "tool_execution_end")[0]).not.toHaveProperty("durationMs");
    expect(only(events, "turn_end")[0]!.toolResults[0]).not.toHaveProperty("durationMs");
  });

  it(
    "is virtual time as timestamps",
    virtually(({ flush }) => {
      const { agent } = setUp({
        responses: [calls("a"), answer("bye")],
        tools: [tool(() => timer(7).pipe(map(() => ({ content: [], details: undefined }))))],
      });
      agent.prompt$("hello").subscribe();
      flush();
      const stamped = agent.state.messages.filter(({ role }) => role === "user" || role === "toolResult");
      expect(stamped.map(({ timestamp }) => timestamp)).toEqual([0, 7]);
    }),
  );
});
