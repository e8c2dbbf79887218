import { describe, expect, it } from "@jest/globals";
import { answer, call, text } from "./support/answer";
import { connect } from "./support/connect";
import { joined, typesOf } from "./support/observed";
import { status, stream } from "./support/reply";
import { agentLoop, type AgentEvent, type AgentLoopConfig, type AgentMessage } from "pi-agent-rx";
import type { SseServer } from "./support/sseServer";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

const CALL = call("call_1", "weather", '{"city":"東', '京","days":"2"}');
const HI: AgentMessage = { role: "user", content: "Hi", timestamp: 1 };

describe.each(wires)("agentLoop over $name", (wire) => {
  const serve = useServers();

  function loop(server: SseServer, config: Partial<AgentLoopConfig> = {}, signal?: AbortSignal) {
    const { model, streamFn } = connect(wire, server.url);
    return agentLoop(
      [HI],
      {
        messages: [{ role: "system", content: "Be brief.", timestamp: 1 }],
        tools: [weather(async (_id, { days }) => says(`${days} days of sun`))],
      },
      {
        model,
        convertToLlm: (messages) => messages.filter((message) => message.role !== ("ui" as string)),
        ...config,
      },
      signal,
      streamFn,
    );
  }

  it("runs a tool in two turns and gives the new messages", async () => {
    const server = await serve(
      stream(wire.frames(answer(CALL)), { chunking: "insideCharacters" }),
      stream(wire.frames(answer(text("Sun ", "☀️"))), { chunking: "byte" }),
    );
    const run = loop(server);
    const events: AgentEvent[] = [];
    for await (const event of run) events.push(event);
    expect(joined(events, "text_delta")).toBe("Sun ☀️");
    expect(typesOf(events)).toEqual([
      "agent_start",
      "turn_start",
      ...["message_start", "message_end"],
      ...["message_start", "message_end"],
      ...["message_start", "message_update", "message_end"],
      "tool_execution_start",
      "tool_execution_end",
      ...["message_start", "message_end"],
      "turn_end",
      "turn_start",
      ...["message_start", "message_update", "message_end"],
      "turn_end",
      "agent_end",
    ]);
    expect((await run.result()).map(({ role }) => role)).toEqual([
      "system",
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    const requests = server.exchanges.map(({ body }) => wire.read(body));
    expect(requests.map(({ system, tools }) => [system, tools.map(({ name }) => name)])).toEqual([
      ["Be brief.", ["weather"]],
      ["Be brief.", ["weather"]],
    ]);
    expect(requests[1]?.said).toMatchObject([
      { by: "user", text: "Hi" },
      { by: "call", id: "call_1", args: { city: "東京", days: "2" } },
      { by: "result", id: "call_1", text: "2 days of sun" },
    ]);
  });

  it("hands every stream option of its config to the provider", async () => {
    const server = await serve(
      status(429, wire.failure("rate_limit_error", "slow down"), { "retry-after-ms": "1" }),
      stream(wire.frames(answer(text("Fine.")))),
    );
    await loop(server, {
      apiKey: "loop-key",
      headers: { "x-tenant": "green" },
      sessionId: "session-9",
      reasoning: "low",
      maxTokens: 4_321,
      maxRetries: 1,
    }).result();
    expect(server.exchanges.length).toBe(2);
    const { headers = {}, body } = server.exchanges[1] ?? {};
    expect(wire.keyOf(headers)).toBe("loop-key");
    expect(wire.sessionOf(headers)).toBe("session-9");
    expect(headers).toMatchObject({ "x-tenant": "green" });
    expect(wire.read(body).thinking).toEqual(
      wire.name === "openai-completions" ? "low" : expect.objectContaining({ type: "enabled" }),
    );
    expect(JSON.stringify(body)).toMatch(
      wire.name === "openai-completions" ? /:4321\b/ : /"max_tokens":6369\b/,
    );
  });

  it("ends as aborted when the caller's signal fires, and hangs up", async () => {
    const frames = wire.frames(answer(text("Some ", "more")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "Some", then: "stall" }));
    const controller = new AbortController();
    const run = loop(server, {}, controller.signal);
    for await (const event of run) {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta")
        controller.abort();
    }
    expect((await run.result()).at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "aborted",
      content: [{ type: "text", text: "Some " }],
    });
    expect(await server.exchanges[0]?.hungUp).toBe(true);
  });

  it("hangs up when the reader leaves early", async () => {
    const frames = wire.frames(answer(text("Some ", "more")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "Some", then: "stall" }));
    for await (const event of loop(server)) {
      if (event.type === "message_update" && event.assistantMessageEvent.type === "text_delta") break;
    }
    expect(await server.exchanges[0]?.hungUp).toBe(true);
  });

  it("fails its iterator and its result when a hook throws between two requests", async () => {
    const server = await serve(stream(wire.frames(answer(CALL))));
    const run = loop(server, {
      prepareNextTurn: () => {
        throw new Error("no next turn");
      },
    });
    const types: string[] = [];
    await expect(async () => {
      for await (const { type } of run) types.push(type);
    }).rejects.toThrow("no next turn");
    await expect(run.result()).rejects.toThrow("no next turn");
    expect(types.at(-1)).toBe("turn_end");
    expect(server.exchanges.length).toBe(1);
  });
});
