import { describe, expect, it } from "@jest/globals";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { connect } from "./support/connect";
import { answerIn, endOf, outcomeOf, textIn, typesOf } from "./support/observed";
import { silence, status, stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

/** Longer than a test may take: only what ends by itself can end in it. */
const LONG_GRACE = { abortGraceMs: 60_000 };
const CALL = call("call_1", "weather", '{"city":"Oslo","days":1}');

describe.each(wires)("abort() over $name", (wire) => {
  const serve = useServers();
  const fine = () => stream(wire.frames(answer(text("Fine."))));

  it("ends a stalled response as aborted, with what had streamed, and hangs up", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "stall" }), fine());
    const { agent, events } = agentOn(wire, server, LONG_GRACE);
    let idle = Promise.resolve("never aborted");
    agent.subscribe((event) => {
      if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return;
      if (event.assistantMessageEvent.delta !== "京") return;
      agent.abort();
      idle = agent.waitForIdle().then(() => "idle");
    });
    await agent.prompt("Hi");
    expect(await idle).toBe("idle");
    expect(await server.exchanges[0]?.hungUp).toBe(true);
    const aborted = answerIn(agent.state.messages);
    expect(aborted).toMatchObject({ stopReason: "aborted", errorMessage: expect.stringMatching(/./) });
    expect(textIn(aborted)).toBe("東京");
    expect(typesOf(events).slice(-3)).toEqual(["message_end", "turn_end", "agent_end"]);
    expect(outcomeOf(events)).toBe("aborted");
    events.length = 0;
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
    expect(outcomeOf(events)).toBe("completed");
  });

  it("ends the wait for a server that never answers", async () => {
    const server = await serve(silence());
    const { agent, events } = agentOn(wire, server, LONG_GRACE);
    const prompted = agent.prompt("Hi");
    await server.received(1);
    agent.abort();
    await prompted;
    expect(await server.exchanges[0]?.hungUp).toBe(true);
    expect(answerIn(agent.state.messages)).toMatchObject({ content: [], stopReason: "aborted" });
    expect(outcomeOf(events)).toBe("aborted");
  });

  it("ends the provider's wait between two tries", async () => {
    const server = await serve(
      status(429, wire.failure("rate_limit_error", "slow down"), { "retry-after": "30" }),
    );
    const { agent, events } = agentOn(wire, server, {
      ...LONG_GRACE,
      connect: { request: { maxRetries: 2 } },
    });
    const prompted = agent.prompt("Hi");
    await server.received(1);
    await server.exchanges[0]?.hungUp;
    agent.abort();
    await prompted;
    expect(server.exchanges.length).toBe(1);
    expect(answerIn(agent.state.messages).stopReason).toBe("aborted");
    expect(outcomeOf(events)).toBe("aborted");
  });

  it("goes on after the grace without a provider that ignores the signal, and keeps what had streamed", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "stall" }));
    const deaf = connect(wire, server.url);
    let late: Promise<AssistantMessage> | undefined;
    const { agent, events } = agentOn(wire, server, {
      abortGraceMs: 20,
      streamFn: (model, context, options) => {
        const response = deaf.streamFn(model, context, { ...options, signal: undefined });
        late = Promise.resolve(response).then((events) => events.result());
        return response;
      },
    });
    agent.subscribe((event) => {
      if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return;
      if (event.assistantMessageEvent.delta === "京") agent.abort("enough");
    });
    await agent.prompt("Hi");
    const aborted = answerIn(agent.state.messages);
    expect(aborted).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "東京" }] });
    expect(endOf(events)).toMatchObject({ outcome: "aborted", reason: "enough" });
    const before = events.length;
    await server.close();
    expect(await late).toMatchObject({ stopReason: "error" });
    expect(events.length).toBe(before);
    expect(answerIn(agent.state.messages)).toBe(aborted);
    expect(aborted).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "東京" }] });
  });

  it("in a tool batch makes no further request", async () => {
    const server = await serve(stream(wire.frames(answer(CALL))), fine());
    const tool = weather(async (_id, _params, signal) => {
      agent.abort();
      signal?.throwIfAborted();
      return says("sun");
    });
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(server.exchanges.length).toBe(1);
    expect(agent.state.messages.at(-1)).toMatchObject({
      role: "toolResult",
      toolCallId: "call_1",
      isError: true,
    });
    expect(typesOf(events).slice(-2)).toEqual(["turn_end", "agent_end"]);
    expect(outcomeOf(events)).toBe("aborted");
  });

  it("of a response whose calls had begun executes none of them", async () => {
    const server = await serve(
      stream(wire.frames(answer(text("Look: "), CALL)), { chunking: "frame", upTo: "Oslo", then: "stall" }),
      fine(),
    );
    let calls = 0;
    const tool = weather(async () => says(String(++calls)));
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    agent.subscribe((event) => {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "toolcall_start")
        agent.abort();
    });
    await agent.prompt("Weather?");
    expect(calls).toBe(0);
    expect(textIn(answerIn(agent.state.messages))).toBe("Look: ");
    expect(agent.state.messages.filter(({ role }) => role === "toolResult")).toEqual([]);
    expect(outcomeOf(events)).toBe("aborted");
    await agent.prompt("And now?");
    expect(wire.read(server.exchanges[1]?.body).said.at(-1)).toEqual({ by: "user", text: "And now?" });
  });

  it("in the tick of prompt() sends nothing", async () => {
    const server = await serve(fine());
    const { agent, events } = agentOn(wire, server);
    const prompted = agent.prompt("Hi");
    agent.abort();
    await prompted;
    expect(server.exchanges).toEqual([]);
    expect(answerIn(agent.state.messages).stopReason).toBe("aborted");
    expect(outcomeOf(events)).toBe("aborted");
  });
});
