import { describe, expect, it } from "@jest/globals";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { anthropicWire } from "./support/anthropicWire";
import { openAiWire } from "./support/openAiWire";
import { stream } from "./support/reply";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import type { Wire } from "./support/wire";

const SCHEMA = {
  type: "object",
  properties: {
    city: { type: "string", description: "City" },
    days: { type: "integer", minimum: 1 },
    metric: { type: "boolean" },
  },
  required: ["city", "days"],
  additionalProperties: false,
};
const IMAGE = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

describe("the request bodies of a run with a tool", () => {
  const serve = useServers();

  async function bodies(wire: Wire): Promise<unknown[]> {
    const server = await serve(
      stream(
        wire.frames(answer(text("A look: "), call("call_1", "weather", '{"city":"Oslo",', '"days":"2"}'))),
      ),
      stream(wire.frames(answer(text("Snow.")))),
    );
    const { agent } = agentOn(wire, server, {
      connect: { model: { input: ["text", "image"] } },
      initialState: {
        tools: [
          weather(async () => {
            throw new Error("no station");
          }),
          weather(async () => says("high"), { name: "tides", description: "Tides" }),
        ],
      },
    });
    await agent.prompt("Weather here?", [IMAGE]);
    return server.exchanges.map(({ body }) => body);
  }

  it("are what the OpenAI chat completions API expects", async () => {
    const declared = ([name, description]: [string, string]) => ({
      type: "function",
      function: { name, description, parameters: SCHEMA },
    });
    const first = {
      model: "local-chat",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Weather here?" },
            { type: "image_url", image_url: { url: `data:image/png;base64,${IMAGE.data}` } },
          ],
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
      store: false,
      max_completion_tokens: 8_000,
      tools: [declared(["weather", "Forecast"]), declared(["tides", "Tides"])],
    };
    const answered = {
      role: "assistant",
      content: "A look: ",
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "weather", arguments: '{"city":"Oslo","days":"2"}' },
        },
      ],
    };
    const result = { role: "tool", tool_call_id: "call_1", content: "no station" };
    expect(await bodies(openAiWire)).toEqual([
      first,
      { ...first, messages: [...first.messages, answered, result] },
    ]);
  });

  it("are what the Anthropic messages API expects", async () => {
    const cached = { cache_control: { type: "ephemeral" } };
    const declared = (name: string, description: string) => ({
      name,
      description,
      eager_input_streaming: true,
      input_schema: SCHEMA,
    });
    const shown = { type: "image", source: { type: "base64", media_type: "image/png", data: IMAGE.data } };
    const asked = { type: "text", text: "Weather here?" };
    const first = {
      model: "local-messages",
      system: [{ type: "text", text: "Be brief.", ...cached }],
      messages: [{ role: "user", content: [asked, { ...shown, ...cached }] }],
      stream: true,
      max_tokens: 8_000,
      thinking: { type: "disabled" },
      tools: [declared("weather", "Forecast"), { ...declared("tides", "Tides"), ...cached }],
    };
    const second = {
      ...first,
      messages: [
        { role: "user", content: [asked, shown] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "A look: " },
            { type: "tool_use", id: "call_1", name: "weather", input: { city: "Oslo", days: "2" } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "no station", is_error: true, ...cached },
          ],
        },
      ],
    };
    expect(await bodies(anthropicWire)).toEqual([first, second]);
  });
});
