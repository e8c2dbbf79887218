import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, text, thinking } from "./support/answer";
import type { Chunking } from "./support/chunking";
import { answerIn, joined, outcomeOf, textIn, typesOf } from "./support/observed";
import { stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { wires } from "./support/wires";

const DELTAS = ["Grüße ", "aus ", "東京", " 👩‍👩‍👧‍👦🎉", "!"];
const WHOLE = DELTAS.join("");

describe.each(wires)("a text answer over $name", (wire) => {
  const serve = useServers();

  it("arrives as deltas that join to the final text", async () => {
    const server = await serve(stream(wire.frames(answer(text(...DELTAS))), { chunking: "frame" }));
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(joined(events, "text_delta")).toBe(WHOLE);
    expect(textIn(answerIn(agent.state.messages))).toBe(WHOLE);
    expect(typesOf(events)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "message_update",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(outcomeOf(events)).toBe("completed");
  });

  it("ends with usage, cost, model and stop reason", async () => {
    const server = await serve(
      stream(wire.frames({ ...answer(text("Hi")), usage: { input: 1_000, output: 200 } })),
      stream(wire.frames({ ...answer(text("Hi")), stop: "length" })),
    );
    const { agent } = agentOn(wire, server, { initialState: { thinkingLevel: "low" } });
    await agent.prompt("Hi");
    expect(answerIn(agent.state.messages)).toMatchObject({
      stopReason: "stop",
      model: wire.model(server.url).id,
      provider: wire.model(server.url).provider,
      thinkingLevel: "low",
      durationMs: expect.any(Number),
      usage: {
        input: 1_000,
        output: 200,
        totalTokens: 1_200,
        cost: { input: 0.001, output: 0.001, total: 0.002 },
      },
    });
    await agent.prompt("More");
    expect(answerIn(agent.state.messages).stopReason).toBe("length");
  });

  it("shows the streaming message in state while it grows", async () => {
    const server = await serve(stream(wire.frames(answer(text(...DELTAS))), { chunking: "frame" }));
    const { agent } = agentOn(wire, server);
    const seen: string[] = [];
    agent.subscribe((event) => {
      const message = agent.state.streamingMessage;
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") {
        seen.push(message?.role === "assistant" ? textIn(message) : "nothing");
      }
    });
    await agent.prompt("Hi");
    expect(seen.length).toBe(DELTAS.length);
    expect(seen.every((shown) => shown !== "" && WHOLE.startsWith(shown))).toBe(true);
    expect(seen.at(-1)).toBe(WHOLE);
    expect(agent.state.streamingMessage).toBeUndefined();
  });

  it("may think before it speaks, and the thought goes back with the next request", async () => {
    const server = await serve(
      stream(wire.frames(answer(thinking("Hmm, ", "東京…"), text("Tokyo"))), { chunking: "frame" }),
      stream(wire.frames(answer(text("Bye")))),
    );
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Which city?");
    expect(joined(events, "thinking_delta")).toBe("Hmm, 東京…");
    expect(answerIn(agent.state.messages).content.map(({ type }) => type)).toEqual(["thinking", "text"]);
    await agent.prompt("Thanks");
    expect(wire.read(server.exchanges[1]?.body)).toMatchObject({
      system: "Be brief.",
      said: [
        { by: "user", text: "Which city?" },
        { by: "thought", text: "Hmm, 東京…" },
        { by: "assistant", text: "Tokyo" },
        { by: "user", text: "Thanks" },
      ],
    });
  });

  it.each<Chunking>(["whole", "byte", "insideCharacters"])(
    "is the same in chunks by %s",
    async (chunking) => {
      const frames = wire.frames(answer(thinking("思", "考"), text(...DELTAS)));
      const server = await serve(stream(frames, { chunking: "frame" }), stream(frames, { chunking }));
      const byFrame = agentOn(wire, server);
      await byFrame.agent.prompt("Hi");
      const cut = agentOn(wire, server);
      await cut.agent.prompt("Hi");
      expect(cut.events.map(({ type }) => type)).toEqual(byFrame.events.map(({ type }) => type));
      expect(answerIn(cut.agent.state.messages).content).toEqual(
        answerIn(byFrame.agent.state.messages).content,
      );
      expect(textIn(answerIn(cut.agent.state.messages))).toBe(WHOLE);
    },
  );

  it("arrives whole when it drips in slowly", async () => {
    const server = await serve(
      stream(wire.frames(answer(text(...DELTAS))), { chunking: "frame", pauseMs: 3 }),
    );
    const { agent, events } = agentOn(wire, server);
    await agent.prompt("Hi");
    expect(joined(events, "text_delta")).toBe(WHOLE);
    expect(outcomeOf(events)).toBe("completed");
  });

  it("waits for a slow listener and loses nothing behind it", async () => {
    const server = await serve(stream(wire.frames(answer(text(...DELTAS))), { chunking: "byte" }));
    const { agent, events } = agentOn(wire, server);
    const order: string[] = [];
    agent.subscribe(async ({ type }) => {
      order.push(`${type} in`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${type} out`);
    });
    await agent.prompt("Hi");
    expect(order).toEqual(events.flatMap(({ type }) => [`${type} in`, `${type} out`]));
    expect(joined(events, "text_delta")).toBe(WHOLE);
  });
});
