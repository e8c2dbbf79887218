import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { answersIn, outcomeOf, textIn } from "./support/observed";
import { stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { STORED_KEY } from "./support/wire";
import { wires } from "./support/wires";

const CALL = call("call_1", "weather", '{"city":"Oslo","days":1}');

describe.each(wires)("a request over $name", (wire) => {
  const serve = useServers();
  const fine = () => stream(wire.frames(answer(text("Fine."))));

  it("goes to the provider's path as a streaming request for the model", async () => {
    const server = await serve(fine());
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(server.exchanges.map(({ path }) => path)).toEqual([wire.path]);
    expect(server.exchanges[0]?.body).toMatchObject({ model: agent.state.model.id, stream: true });
    expect(outcomeOf(events)).toBe("completed");
  });

  it("carries the provider's stored key when nobody names another", async () => {
    const server = await serve(fine());
    await agentOn(wire, server).agent.prompt("Hi");
    expect(wire.keyOf(server.exchanges[0]?.headers ?? {})).toBe(STORED_KEY);
  });

  it("carries the key getApiKey gives for it, asked anew for every request", async () => {
    const server = await serve(stream(wire.frames(answer(CALL))), fine());
    const asked: string[] = [];
    const { agent } = agentOn(wire, server, {
      initialState: { tools: [weather(async () => says("snow"))] },
      getApiKey: async (provider) => `key-${asked.push(provider)}`,
    });
    await agent.prompt("Weather?");
    expect(server.exchanges.map(({ headers }) => wire.keyOf(headers))).toEqual(["key-1", "key-2"]);
    expect(asked).toEqual([agent.state.model.provider, agent.state.model.provider]);
  });

  it("carries the model's headers and the identity", async () => {
    const server = await serve(fine(), fine());
    const { agent } = agentOn(wire, server, { connect: { model: { headers: { "x-tenant": "blue" } } } });
    await agent.prompt("Hi");
    expect(server.exchanges[0]?.headers).toMatchObject({
      "x-tenant": "blue",
      "user-agent": expect.stringMatching(/^pi\//),
    });
    agent.identity = { userAgent: { custom: "my-app/2.0" } };
    await agent.prompt("Hi");
    expect(server.exchanges[1]?.headers).toMatchObject({ "user-agent": "my-app/2.0" });
  });

  it("names the app to a provider that attributes: pi at first, then what the identity says, or nobody", async () => {
    const server = await serve(fine(), fine(), fine());
    const { agent } = agentOn(wire, server, { connect: { model: { provider: "openrouter" } } });
    await agent.prompt("Hi");
    agent.identity = { attribution: { name: "my-app", url: "https://my-app.example" } };
    await agent.prompt("Hi");
    agent.identity = { attribution: null };
    await agent.prompt("Hi");
    expect(
      server.exchanges.map(({ headers }) => [headers["x-openrouter-title"], headers["http-referer"]]),
    ).toEqual([
      ["pi", "https://pi.dev"],
      ["my-app", "https://my-app.example"],
      [undefined, undefined],
    ]);
  });

  it("carries the session id of the moment", async () => {
    const server = await serve(fine(), fine(), fine());
    const { agent } = agentOn(wire, server, { sessionId: "session-1" });
    await agent.prompt("Hi");
    agent.sessionId = "session-2";
    await agent.prompt("Hi");
    agent.sessionId = undefined;
    await agent.prompt("Hi");
    expect(server.exchanges.map(({ headers }) => wire.sessionOf(headers))).toEqual([
      "session-1",
      "session-2",
      undefined,
    ]);
  });

  it("carries the thinking level, with the agent's own budgets", async () => {
    const server = await serve(fine(), fine());
    const { agent } = agentOn(wire, server, {
      initialState: { thinkingLevel: "high" },
      thinkingBudgets: { high: 1_777 },
    });
    await agent.prompt("Hi");
    agent.state.thinkingLevel = "off";
    await agent.prompt("Hi");
    expect(server.exchanges.map(({ body }) => wire.read(body).thinking)).toEqual(
      wire.name === "openai-completions"
        ? ["high", undefined]
        : [{ type: "enabled", budget_tokens: 1_777, display: "summarized" }, { type: "disabled" }],
    );
    expect(answersIn(agent.state.messages).map(({ thinkingLevel }) => thinkingLevel)).toEqual([
      "high",
      "off",
    ]);
  });

  it("can be seen and replaced by onPayload, its answer by onResponse and onProviderStreamEvent", async () => {
    const server = await serve(fine());
    const statuses: number[] = [];
    const raw: unknown[] = [];
    const { agent } = agentOn(wire, server, {
      onPayload: (payload) => ({ ...(payload as object), user: "somebody" }),
      onResponse: ({ status }) => void statuses.push(status),
      onProviderStreamEvent: (event) => void raw.push(event),
    });
    await agent.prompt("Hi");
    expect(server.exchanges[0]?.body).toMatchObject({ model: agent.state.model.id, user: "somebody" });
    expect(statuses).toEqual([200]);
    expect(JSON.stringify(raw)).toContain("Fine.");
  });

  it("holds what prepareRequest and transformContext made of the context", async () => {
    const server = await serve(fine(), fine());
    const { agent } = agentOn(wire, server, {
      prepareRequest: ({ context }) => ({ context, thinkingLevel: "low" }),
      transformContext: async (messages) => messages.filter(({ role }) => role !== "assistant"),
    });
    await agent.prompt("One");
    await agent.prompt("Two");
    const second = wire.read(server.exchanges[1]?.body);
    expect(second.said).toEqual([
      { by: "user", text: "One" },
      { by: "user", text: "Two" },
    ]);
    expect(second.thinking).toEqual(
      wire.name === "openai-completions" ? "low" : expect.objectContaining({ type: "enabled" }),
    );
    expect(answersIn(agent.state.messages).map(textIn)).toEqual(["Fine.", "Fine."]);
  });
});
