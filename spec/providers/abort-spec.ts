import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { answerIn, outcomeOf, textIn, typesOf } from "./support/observed";
import { silence, status, stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

const GRACE_MS = 2_000;
const CALL = call("call_1", "weather", '{"city":"Oslo","days":1}');

describe.each(wires)("abort() over $name", (wire) => {
  const serve = useServers();
  const fine = () => stream(wire.frames(answer(text("Fine."))));

  /** Aborts, and gives the milliseconds until the run has settled. */
  async function settled({ agent }: ReturnType<typeof agentOn>): Promise<number> {
    const since = performance.now();
    agent.abort();
    await agent.waitForIdle();
    return performance.now() - since;
  }

  it("ends a stalled response as aborted, with what had streamed, and hangs up", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "stall" }), fine());
    const { agent, events } = agentOn(wire, server);
    let took = Promise.resolve(Number.POSITIVE_INFINITY);
    agent.subscribe((event) => {
      if (event.type !== "message_update" || event.assistantMessageEvent.type !== "text_delta") return;
      if (event.assistantMessageEvent.delta === "京") took = settled({ agent, events });
    });
    await agent.prompt("Hi");
    expect(await took).toBeLessThan(GRACE_MS);
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
    const run = agentOn(wire, server);
    const prompted = run.agent.prompt("Hi");
    await server.received(1);
    expect(await settled(run)).toBeLessThan(GRACE_MS);
    await prompted;
    expect(await server.exchanges[0]?.hungUp).toBe(true);
    expect(answerIn(run.agent.state.messages)).toMatchObject({ content: [], stopReason: "aborted" });
    expect(outcomeOf(run.events)).toBe("aborted");
  });

  it("ends the provider's wait between two tries", async () => {
    const server = await serve(
      status(429, wire.failure("rate_limit_error", "slow down"), { "retry-after": "30" }),
    );
    const run = agentOn(wire, server, { connect: { request: { maxRetries: 2 } } });
    const prompted = run.agent.prompt("Hi");
    await server.received(1);
    await server.exchanges[0]?.hungUp;
    expect(await settled(run)).toBeLessThan(GRACE_MS);
    await prompted;
    expect(server.exchanges.length).toBe(1);
    expect(answerIn(run.agent.state.messages).stopReason).toBe("aborted");
    expect(outcomeOf(run.events)).toBe("aborted");
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
