import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { answerIn, outcomeOf, textIn, typesOf } from "./support/observed";
import { status, stream, type StreamOptions } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

const RETRY = { request: { maxRetries: 2 } };

describe.each(wires)("a failing provider over $name", (wire) => {
  const serve = useServers();

  // The provider's SDK prints the JSON it cannot parse before it throws.
  beforeAll(() => void jest.spyOn(console, "error").mockImplementation(() => undefined));
  afterAll(() => void jest.restoreAllMocks());

  const fine = () => stream(wire.frames(answer(text("Fine."))));
  const rateLimit = (headers: Record<string, string>) =>
    status(429, wire.failure("rate_limit_error", "slow down"), headers);

  const cuts: [string, StreamOptions][] = [
    ["destroyed after a delta", { upTo: "東", then: "cut" }],
    ["destroyed inside a character", { upTo: "京", inside: "京", then: "cut" }],
    ["ended after a delta", { upTo: "東", then: "end" }],
    ["ended inside a character", { upTo: "京", inside: "京", then: "end" }],
    ["ended before the first frame was whole", { upTo: "local-", inside: "local-", then: "end" }],
  ];

  it.each(cuts)("fails the run when the body is %s, and the next prompt works", async (_name, options) => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", ...options }), fine());
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    const failed = answerIn(agent.state.messages);
    expect(failed.stopReason).toBe("error");
    expect(failed.errorMessage).toEqual(expect.stringMatching(/./));
    expect("東京".startsWith(textIn(failed))).toBe(true);
    expect(agent.state).toMatchObject({ errorMessage: failed.errorMessage, isStreaming: false });
    expect(typesOf(events).slice(-3)).toEqual(["message_end", "turn_end", "agent_end"]);
    expect(outcomeOf(events)).toBe("failed");
    events.length = 0;
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
    expect(agent.state.errorMessage).toBeUndefined();
    expect(outcomeOf(events)).toBe("completed");
    expect(server.exchanges.length).toBe(2);
  });

  it("keeps what had streamed when it is cut off", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "end" }));
    const { agent } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(textIn(answerIn(agent.state.messages))).toBe("東京");
  });

  it("executes no call of an answer that was cut off", async () => {
    const frames = wire.frames(answer(call("call_1", "weather", '{"city":"Oslo","days":1}')));
    const server = await serve(stream(frames, { upTo: "Oslo", then: "cut" }), fine());
    let calls = 0;
    const tool = weather(async () => says(String(++calls)));
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(calls).toBe(0);
    expect(typesOf(events)).not.toContain("tool_execution_start");
    expect(agent.state.messages.filter(({ role }) => role === "toolResult")).toEqual([]);
    expect(outcomeOf(events)).toBe("failed");
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
  });

  it("answers after a 429 by the provider's own retry, and the run shows one answer", async () => {
    const server = await serve(
      rateLimit({ "retry-after": "0.02" }),
      rateLimit({ "retry-after-ms": "1" }),
      fine(),
    );
    const { agent, events } = agentOn(wire, server, { connect: RETRY });
    await agent.prompt("Hi");
    expect(server.exchanges.length).toBe(3);
    expect(server.exchanges[2]?.body).toEqual(server.exchanges[0]?.body);
    expect(typesOf(events).filter((type) => type === "turn_start")).toEqual(["turn_start"]);
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
    expect(outcomeOf(events)).toBe("completed");
  });

  it("fails at a 429 when no retry was asked for", async () => {
    const server = await serve(rateLimit({ "retry-after": "0" }));
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(server.exchanges.length).toBe(1);
    expect(answerIn(agent.state.messages)).toMatchObject({
      stopReason: "error",
      errorMessage: expect.stringMatching(/429.*slow down/s),
    });
    expect(outcomeOf(events)).toBe("failed");
  });

  it("fails at once when the server asks for a longer wait than maxRetryDelayMs", async () => {
    const server = await serve(rateLimit({ "retry-after": "3600" }));
    const { agent, events } = agentOn(wire, server, { connect: RETRY, maxRetryDelayMs: 1_000 });
    await agent.prompt("Hi");
    expect(server.exchanges.length).toBe(1);
    expect(agent.state.errorMessage).toContain("Server requested 3600s retry delay (max: 1s)");
    expect(outcomeOf(events)).toBe("failed");
  });

  it("fails at a 500 with an empty answer that says so, and the next prompt works", async () => {
    const server = await serve(status(500, wire.failure("api_error", "the model is on fire")), fine());
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(answerIn(agent.state.messages)).toMatchObject({
      content: [],
      stopReason: "error",
      errorMessage: expect.stringMatching(/500.*the model is on fire/s),
    });
    expect(typesOf(events)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(outcomeOf(events)).toBe("failed");
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
  });

  it("fails at a 500 in the second turn and keeps the tool's result for continue()", async () => {
    const server = await serve(
      stream(wire.frames(answer(call("call_1", "weather", '{"city":"Oslo","days":1}')))),
      status(500, wire.failure("api_error", "the model is on fire")),
      fine(),
    );
    const { agent, events } = agentOn(wire, server, {
      initialState: { tools: [weather(async () => says("snow"))] },
    });
    await agent.prompt("Weather?");
    expect(outcomeOf(events)).toBe("failed");
    agent.state.messages = agent.state.messages.slice(0, -1);
    await agent.continue();
    expect(server.exchanges[2]?.body).toEqual(server.exchanges[1]?.body);
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
  });

  it("fails when nobody listens at the address", async () => {
    const server = await serve();
    const { agent, events } = agentOn(wire, server);
    await server.close();
    await agent.prompt("Hi");
    expect(agent.state.errorMessage).toContain("fetch failed");
    expect(outcomeOf(events)).toBe("failed");
  });

  it("fails when the server answers with a page instead of events", async () => {
    const server = await serve(status(200, "<html>Welcome</html>", { "content-type": "text/html" }));
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(answerIn(agent.state.messages).stopReason).toBe("error");
    expect(outcomeOf(events)).toBe("failed");
  });
});
