import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { anthropicWire } from "./support/anthropicWire";
import { connect } from "./support/connect";
import { answersIn, outcomeOf } from "./support/observed";
import { openAiWire } from "./support/openAiWire";
import { stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";

const CALL = call("call_1", "weather", '{"city":"Oslo","days":1}');

describe.each([
  [openAiWire, anthropicWire],
  [anthropicWire, openAiWire],
])("a run that changes its provider between two turns", (from, to) => {
  const serve = useServers();

  it(`goes on over ${to.name} with the transcript it got over ${from.name}`, async () => {
    const first = await serve(stream(from.frames(answer(text("A look: "), CALL))));
    const second = await serve(stream(to.frames(answer(text("Snow.")))));
    const [before, after] = [connect(from, first.url), connect(to, second.url)];
    const { agent, events } = agentOn(from, first, {
      initialState: { tools: [weather(async () => says("snow"))] },
      streamFn: (model, ...rest) =>
        (model.provider === after.model.provider ? after : before).streamFn(model, ...rest),
      prepareNextTurn: async () => ({ model: after.model, thinkingLevel: "medium" }),
    });
    await agent.prompt("Weather?");
    expect([first.exchanges.length, second.exchanges.length]).toEqual([1, 1]);
    const request = to.read(second.exchanges[0]?.body);
    expect(request).toMatchObject({
      system: "Be brief.",
      tools: [{ name: "weather" }],
      said: [
        { by: "user", text: "Weather?" },
        { by: "assistant", text: "A look: " },
        { by: "call", id: "call_1", args: { city: "Oslo", days: 1 } },
        { by: "result", id: "call_1", text: "snow" },
      ],
    });
    expect(request.thinking).toEqual(
      to.name === "openai-completions" ? "medium" : expect.objectContaining({ type: "enabled" }),
    );
    expect(answersIn(agent.state.messages).map(({ api, thinkingLevel }) => [api, thinkingLevel])).toEqual([
      [from.name, "off"],
      [to.name, "medium"],
    ]);
    expect(outcomeOf(events)).toBe("completed");
  });
});
