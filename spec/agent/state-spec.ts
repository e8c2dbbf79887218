import { describe, expect, it } from "@jest/globals";
import type { SystemMessage } from "@earendil-works/pi-ai";
import { Agent, type AgentMessage } from "pi-agent-rx";
import { calls, failure, model, transcript, user } from "./support/messages";
import { shown } from "./support/provider";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";

const throwing = () => {
  throw new Error("boom");
};

describe("state of a new agent", () => {
  it("has defaults", () => {
    const { state } = new Agent({ streamFn: throwing });
    expect(state).toMatchObject({
      systemPrompt: "",
      thinkingLevel: "off",
      isStreaming: false,
      streamingMessage: undefined,
      errorMessage: undefined,
    });
    expect([state.messages, state.tools, [...state.pendingToolCalls]]).toEqual([[], [], []]);
    expect(state.model).toMatchObject({ id: "unknown", provider: "unknown" });
  });

  it("is what it was given, arrays copied", () => {
    const messages: AgentMessage[] = [user("hello")];
    const tools = [tool()];
    const { agent } = setUp({ initialState: { model, messages, thinkingLevel: "low", tools } });
    messages.push(user("later"));
    tools.pop();
    expect(transcript(agent.state.messages)).toEqual(["user hello"]);
    expect(agent.state.tools).toHaveLength(1);
    expect(agent.state.thinkingLevel).toBe("low");
    expect(agent.state.model).toBe(model);
  });

  it("keeps prompt and tools in a leading system message", () => {
    const { agent } = setUp({ tools: [tool()], initialState: { systemPrompt: "Be brief." } });
    expect(agent.state.messages).toHaveLength(1);
    expect(agent.state.messages[0]).toMatchObject({
      role: "system",
      content: "Be brief.",
      toolsAdded: [{ name: "work" }],
    });
    expect(agent.state.systemPrompt).toBe("Be brief.");
  });

  it("leaves a transcript that has a leading system message alone", () => {
    const own: SystemMessage = { role: "system", content: "Own.", timestamp: 0 };
    const { agent } = setUp({ initialState: { systemPrompt: "Other.", messages: [own, user("hello")] } });
    expect(agent.state.messages[0]).toBe(own);
    expect(agent.state.messages).toHaveLength(2);
    expect(agent.state.systemPrompt).toBe("Own.");
  });
});

describe("assigning to state", () => {
  it("copies the top-level array of tools and messages", () => {
    const { agent } = setUp();
    const messages: AgentMessage[] = [user("one")];
    const tools = [tool()];
    agent.state.messages = messages;
    agent.state.tools = tools;
    expect(agent.state.messages).not.toBe(messages);
    expect(agent.state.messages[0]).toBe(messages[0]);
    messages.push(user("two"));
    tools.pop();
    expect([agent.state.messages.length, agent.state.tools.length]).toEqual([1, 1]);
  });

  it("lets the transcript grow in place: what is pushed counts", async () => {
    const { agent, requests } = setUp();
    agent.state.messages.push(user("pushed"));
    await agent.continue();
    expect(shown(requests[0])).toEqual(["user pushed"]);
  });

  it("replays the prompt from the transcript", () => {
    const { agent } = setUp({ initialState: { systemPrompt: "Old." } });
    agent.state.messages = [{ role: "system", content: "New.", timestamp: 0 }];
    expect(agent.state.systemPrompt).toBe("New.");
    agent.state.messages = [];
    expect(agent.state.systemPrompt).toBe("");
  });

  it("of messages in mid-run reaches the next run, not this one", async () => {
    const { agent, requests } = setUp({ responses: [calls("a")], tools: [tool()] });
    let replaced = false;
    agent.subscribe(({ type }) => {
      if (type !== "turn_end" || replaced) return;
      replaced = true;
      agent.state.messages = [user("replaced")];
    });
    await agent.prompt("hello");
    expect(shown(requests[1])).toEqual(["user hello", "assistant toolUse", "result a: done"]);
    expect(transcript(agent.state.messages)).toEqual(["user replaced", "assistant stop"]);
  });
});

describe("state in a run", () => {
  it("holds the streaming message from its start to its end", async () => {
    const { agent } = setUp();
    const seen: string[] = [];
    agent.subscribe((event) => {
      const { streamingMessage } = agent.state;
      if ("message" in event && event.type !== "turn_end")
        seen.push(`${event.type} ${streamingMessage === event.message ? "the event's" : streamingMessage}`);
    });
    await agent.prompt("hello");
    expect(seen.slice(2)).toEqual([
      "message_start the event's",
      "message_update the event's",
      "message_end undefined",
    ]);
  });

  it("holds errorMessage from the failed turn's end until the next run", async () => {
    const { agent } = setUp({ responses: [failure("overloaded")] });
    const seen: unknown[] = [];
    agent.subscribe(({ type }) => void seen.push([type, agent.state.errorMessage]));
    await agent.prompt("hello");
    expect(seen).toContainEqual(["message_end", undefined]);
    expect(seen.slice(-2)).toEqual([
      ["turn_end", "overloaded"],
      ["agent_end", "overloaded"],
    ]);
    seen.length = 0;
    await agent.prompt("again");
    expect(seen[0]).toEqual(["agent_start", undefined]);
  });

  it("holds errorMessage of an aborted response", async () => {
    const { agent } = setUp();
    const settled = agent.prompt("hello");
    agent.abort();
    await settled;
    expect(agent.state.errorMessage).toBe("Request was aborted");
  });

  it("replaces pendingToolCalls instead of changing it", async () => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
    const sets: ReadonlySet<string>[] = [];
    agent.subscribe(({ type }) => {
      if (type.startsWith("tool_execution")) sets.push(agent.state.pendingToolCalls);
    });
    await agent.prompt("hello");
    expect(sets.map((ids) => [...ids])).toEqual([["a"], []]);
  });
});

describe("reset", () => {
  it("empties transcript, queues and errors, but keeps the prompt and the declared tools", async () => {
    const { agent } = setUp({
      tools: [tool()],
      responses: [failure("overloaded")],
      initialState: { systemPrompt: "Be brief." },
    });
    await agent.prompt("hello");
    agent.steer(user("more"));
    agent.followUp(user("later"));
    agent.reset();
    expect(agent.state.messages).toHaveLength(1);
    expect(agent.state.messages[0]).toMatchObject({ role: "system", content: "Be brief." });
    expect(agent.state.systemPrompt).toBe("Be brief.");
    expect(agent.hasQueuedMessages()).toBe(false);
    expect(agent.state.errorMessage).toBeUndefined();
    await agent.prompt("again");
    expect(transcript(agent.state.messages)).toEqual(["user again", "assistant stop"]);
  });

  it("of an agent without a prompt leaves nothing", async () => {
    const { agent } = setUp();
    await agent.prompt("hello");
    agent.reset();
    expect(agent.state.messages).toEqual([]);
  });
});

describe("custom messages", () => {
  it("live in the transcript; the model does not see them by default", async () => {
    const notice = { role: "notice", text: "saved", timestamp: 0 } as unknown as AgentMessage;
    const { agent, requests } = setUp();
    await agent.prompt([notice, user("hello")]);
    expect(agent.state.messages.map(({ role }) => role as string)).toEqual(["notice", "user", "assistant"]);
    expect(shown(requests[0])).toEqual(["user hello"]);
  });

  it("are what convertToLlm makes of them", async () => {
    const notice = { role: "notice", content: "saved", timestamp: 0 } as unknown as AgentMessage;
    const { agent, requests } = setUp({
      convertToLlm: (messages) => messages.map((message) => ({ ...message, role: "user" }) as never),
    });
    await agent.prompt(notice);
    expect(shown(requests[0])).toEqual(["user saved"]);
  });
});
