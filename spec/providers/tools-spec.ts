import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { answerIn, answersIn, joined, outcomeOf, textIn, typesOf } from "./support/observed";
import { stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

const TOKYO = call("call_1", "weather", '{"ci', 'ty":"東', '京 🎌","da', 'ys":"3"}');
const PARIS = call("call_2", "weather", '{"city":"Paris","days":1,"metric":', '"true"}');

describe.each(wires)("tools over $name", (wire) => {
  const serve = useServers();

  it("are declared in the request, with their schema", async () => {
    const server = await serve(stream(wire.frames(answer(text("Hi")))));
    const { agent } = agentOn(wire, server, { initialState: { tools: [weather(async () => says("sun"))] } });
    await agent.prompt("Hi");
    expect(wire.read(server.exchanges[0]?.body)).toMatchObject({
      system: "Be brief.",
      tools: [
        {
          name: "weather",
          description: "Forecast",
          parameters: {
            type: "object",
            properties: { city: { type: "string" }, days: { type: "integer" }, metric: { type: "boolean" } },
            required: ["city", "days"],
          },
        },
      ],
      said: [{ by: "user", text: "Hi" }],
    });
  });

  it("run in parallel with coerced arguments, and the second request holds their results", async () => {
    const server = await serve(
      stream(wire.frames(answer(text("Let me look."), TOKYO, PARIS)), { chunking: "insideCharacters" }),
      stream(wire.frames(answer(text("Sun and rain.")))),
    );
    const given: unknown[] = [];
    let both: () => void;
    const started = new Promise<void>((resolve) => (both = resolve));
    const tool = weather(async (_id, params) => {
      if (given.push(params) === 2) both();
      await started;
      return says(params.city === "Paris" ? "rain" : "sun");
    });
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(given).toEqual([
      { city: "東京 🎌", days: 3 },
      { city: "Paris", days: 1, metric: true },
    ]);
    expect(joined(events, "toolcall_delta")).toBe(
      '{"city":"東京 🎌","days":"3"}{"city":"Paris","days":1,"metric":"true"}',
    );
    expect(server.exchanges.length).toBe(2);
    expect(wire.read(server.exchanges[1]?.body).said).toMatchObject([
      { by: "user", text: "Weather?" },
      { by: "assistant", text: "Let me look." },
      { by: "call", id: "call_1", name: "weather", args: { city: "東京 🎌", days: "3" } },
      { by: "call", id: "call_2", name: "weather", args: { city: "Paris", days: 1, metric: "true" } },
      { by: "result", id: "call_1", text: "sun" },
      { by: "result", id: "call_2", text: "rain" },
    ]);
    expect(answersIn(agent.state.messages).map(({ stopReason }) => stopReason)).toEqual(["toolUse", "stop"]);
    expect(textIn(answerIn(agent.state.messages))).toBe("Sun and rain.");
    expect(outcomeOf(events)).toBe("completed");
  });

  it("end in completion order while their results keep the model's order", async () => {
    const server = await serve(
      stream(wire.frames(answer(TOKYO, PARIS))),
      stream(wire.frames(answer(text("Done.")))),
    );
    let release: () => void;
    const parisDone = new Promise<void>((resolve) => (release = resolve));
    const tool = weather(async (_id, { city }, _signal, onUpdate) => {
      onUpdate?.(says(`asking for ${city}`));
      if (city !== "Paris") await parisDone;
      return says(city);
    });
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    agent.subscribe((event) => {
      if (event.type === "tool_execution_end" && event.toolCallId === "call_2") release();
    });
    await agent.prompt("Weather?");
    const ends = events.flatMap((event) => (event.type === "tool_execution_end" ? [event.toolCallId] : []));
    expect(ends).toEqual(["call_2", "call_1"]);
    expect(wire.read(server.exchanges[1]?.body).said.slice(-2)).toMatchObject([
      { by: "result", id: "call_1", text: "東京 🎌" },
      { by: "result", id: "call_2", text: "Paris" },
    ]);
    expect(typesOf(events)).toContain("tool_execution_update");
  });

  it("send their error back as an error and the run goes on", async () => {
    const server = await serve(
      stream(wire.frames(answer(TOKYO, PARIS))),
      stream(wire.frames(answer(text("Only Paris.")))),
    );
    const tool = weather(async (_id, { city }) => {
      if (city !== "Paris") throw new Error("no station in 東京");
      return says("rain");
    });
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    const results = agent.state.messages.filter((message) => message.role === "toolResult");
    expect(results.map(({ isError }) => isError)).toEqual([true, false]);
    const [failed, fine] = wire.read(server.exchanges[1]?.body).said.slice(-2);
    expect(failed).toMatchObject({ by: "result", id: "call_1", text: "no station in 東京" });
    expect(fine).toMatchObject({ by: "result", id: "call_2", text: "rain" });
    if (wire.name === "anthropic-messages") {
      expect([failed, fine]).toMatchObject([{ isError: true }, { isError: false }]);
    }
    expect(outcomeOf(events)).toBe("completed");
  });

  it("are not called with arguments that are no valid ones", async () => {
    const server = await serve(
      stream(
        wire.frames(
          answer(
            call("call_1", "weather", '{"city":"Oslo","days":0}'),
            call("call_2", "weather", '{"city":"Oslo",'),
            call("call_3", "tides", "{}"),
          ),
        ),
      ),
      stream(wire.frames(answer(text("Sorry.")))),
    );
    let calls = 0;
    const tool = weather(async () => says(String(++calls)));
    const { agent } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(calls).toBe(0);
    expect(wire.read(server.exchanges[1]?.body).said.slice(-3)).toMatchObject([
      { id: "call_1", text: expect.stringContaining("days: expected >= 1") },
      { id: "call_2", text: expect.stringContaining('Invalid arguments for tool "weather"') },
      { id: "call_3", text: "Tool tides not found" },
    ]);
  });

  it("are not called when the answer was cut at the output limit", async () => {
    const server = await serve(
      stream(wire.frames({ ...answer(TOKYO), stop: "length" })),
      stream(wire.frames(answer(text("Again, shorter.")))),
    );
    let calls = 0;
    const tool = weather(async () => says(String(++calls)));
    const { agent } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(calls).toBe(0);
    expect(wire.read(server.exchanges[1]?.body).said.at(-1)).toMatchObject({
      by: "result",
      id: "call_1",
      text: expect.stringContaining("output token limit"),
    });
    expect(textIn(answerIn(agent.state.messages))).toBe("Again, shorter.");
  });

  it("let a steering message into the second request, after their results", async () => {
    const server = await serve(
      stream(wire.frames(answer(TOKYO))),
      stream(wire.frames(answer(text("Kyoto then.")))),
    );
    const tool = weather(async () => {
      agent.steer({ role: "user", content: "No, 京都!", timestamp: 1 });
      return says("sun");
    });
    const { agent } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(server.exchanges.length).toBe(2);
    expect(wire.read(server.exchanges[1]?.body).said.slice(-2)).toMatchObject([
      { by: "result", id: "call_1", text: "sun" },
      { by: "user", text: "No, 京都!" },
    ]);
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  it("may change between two runs, and the next request declares the new ones", async () => {
    const server = await serve(
      stream(wire.frames(answer(text("Hi")))),
      stream(wire.frames(answer(text("Ho")))),
    );
    const { agent } = agentOn(wire, server, { initialState: { tools: [weather(async () => says("sun"))] } });
    await agent.prompt("Hi");
    agent.state.tools = [weather(async () => says("low"), { name: "tides" })];
    await agent.prompt("Ho");
    expect(wire.read(server.exchanges[1]?.body).tools.map(({ name }) => name)).toEqual(["tides"]);
  });
});
