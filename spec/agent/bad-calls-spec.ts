import { describe, expect, it } from "@jest/globals";
import { user } from "./support/messages";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";

describe("prompt, continue and the queues", () => {
  it.each<[unknown, string]>([
    [undefined, "prompt: expected text, a message or an array of messages, got undefined"],
    [null, "prompt: expected text, a message or an array of messages, got null"],
    [7, "prompt: expected text, a message or an array of messages, got 7"],
    [{}, "prompt[0]: expected a message with a role, got an object"],
    [["hello"], 'prompt[0]: expected a message with a role, got "hello"'],
    [[user("x"), null], "prompt[1]: expected a message with a role, got null"],
  ])("prompt(%j) rejects, and nothing has run", async (input, message) => {
    const { agent, events, requests } = setUp();
    await expect(agent.prompt(input as never)).rejects.toThrow(new TypeError(message));
    expect([events, requests, agent.state.messages]).toEqual([[], [], []]);
    expect(agent.state.isStreaming).toBe(false);
    await agent.prompt("hello");
    expect(events.at(-1)!.type).toBe("agent_end");
  });

  it("prompt() with images that are none rejects, and nothing has run", async () => {
    const { agent, events } = setUp();
    await expect(agent.prompt("look", "cat.png" as never)).rejects.toThrow(
      'images: expected an array of images, got "cat.png"',
    );
    expect(events).toEqual([]);
  });

  it.each(["steer", "followUp"] as const)("%s() of no message throws, and loses nothing", (queue) => {
    const { agent } = setUp();
    const kept = user("kept");
    agent[queue](kept);
    for (const bad of [undefined, null, "hello", {}]) {
      expect(() => agent[queue](bad as never)).toThrow(
        new RegExp(`^${queue}: expected a message with a role`),
      );
    }
    expect(agent.peekQueuedMessages()).toEqual([kept]);
  });

  it("subscribe() of no function throws", () => {
    const { agent } = setUp();
    expect(() => agent.subscribe(undefined as never)).toThrow("listener: expected a function, got undefined");
  });

  it.each(["steeringMode", "followUpMode"] as const)("%s of no mode throws, and the mode stays", (name) => {
    const { agent } = setUp();
    expect(() => (agent[name] = "some" as never)).toThrow(`${name}: expected "all" or "one-at-a-time"`);
    expect(() => (agent[name] = undefined as never)).toThrow(`${name}: expected "all" or "one-at-a-time"`);
    expect(agent[name]).toBe("one-at-a-time");
  });
});

describe("state setters", () => {
  it.each<[string, unknown, string]>([
    ["tools", undefined, "state.tools: expected an array of tools, got undefined"],
    ["tools", [{ name: "x" }], "state.tools[0].parameters: expected a JSON Schema object, got undefined"],
    ["tools", [{ ...tool(), execute: null }], "state.tools[0].execute: expected a function, got null"],
    ["messages", "hi", 'state.messages: expected an array of messages, got "hi"'],
    ["messages", [undefined], "state.messages[0]: expected a message with a role, got undefined"],
    ["model", undefined, "state.model: expected an object, got undefined"],
    ["thinkingLevel", "very", "state.thinkingLevel: expected "],
  ])("state.%s = %j throws, and the state stays", (name, value, message) => {
    const { agent } = setUp({ tools: [tool()], initialState: { messages: [user("hello")] } });
    const before = { ...agent.state };
    expect(() => ((agent.state as unknown as Record<string, unknown>)[name] = value)).toThrow(message);
    expect({ ...agent.state }).toEqual(before);
  });
});

describe("settings assigned in mid-life", () => {
  it.each<[string, unknown, string]>([
    ["streamFunction", 1, "streamFunction: expected a function, got 1"],
    ["convertToLlm", "x", 'convertToLlm: expected a function, got "x"'],
    ["beforeToolCall", 1, "beforeToolCall: expected a function, got 1"],
    ["toolConcurrency", 0, "toolConcurrency: expected an integer ≥ 1, got 0"],
    ["abortGraceMs", -1, "abortGraceMs: expected a number of ms"],
    ["toolExecution", "both", "toolExecution: expected "],
    ["operators", { context: 1 }, "operators.context: expected a function, got 1"],
  ])(
    "%s = %j is told by name before the next run starts, and nothing is lost",
    async (name, value, message) => {
      const { agent, events, requests } = setUp();
      agent.steer(user("kept"));
      let error: unknown;
      try {
        (agent as unknown as Record<string, unknown>)[name] = value;
        await agent.prompt("hello");
      } catch (caught) {
        error = caught;
      }
      expect(String(error)).toMatch(message);
      expect([events, requests, agent.state.messages]).toEqual([[], [], []]);
      expect(agent.queued.steering).toHaveLength(1);
      expect(agent.state.isStreaming).toBe(false);
    },
  );
});
