import { describe, expect, it } from "@jest/globals";
import type { AgentSnapshot } from "pi-agent-rx";
import { calls, inShort, user } from "./support/messages";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";

function collect(agent: ReturnType<typeof setUp>["agent"]): AgentSnapshot[] {
  const seen: AgentSnapshot[] = [];
  agent.state$.subscribe((snapshot) => seen.push(snapshot));
  return seen;
}

describe("state$", () => {
  it("shows the current snapshot at once", () => {
    const { agent } = setUp({ initialState: { messages: [user("hello")], thinkingLevel: "low" } });
    const [snapshot, ...more] = collect(agent);
    expect(more).toEqual([]);
    expect(snapshot).toMatchObject({
      thinkingLevel: "low",
      isStreaming: false,
      streamingMessage: undefined,
      errorMessage: undefined,
      queued: { steering: [], followUp: [] },
    });
    expect(snapshot!.messages.map(inShort)).toEqual(["user hello"]);
    expect(snapshot!.pendingToolCalls.size).toBe(0);
  });

  it("shows one snapshot per assignment to agent.state", () => {
    const { agent } = setUp();
    const seen = collect(agent);
    agent.state.thinkingLevel = "high";
    agent.state.model = { ...agent.state.model, id: "large" };
    agent.state.tools = [tool()];
    agent.state.messages = [user("hello")];
    expect(seen).toHaveLength(5);
    expect(
      seen.map(({ thinkingLevel, model, tools, messages }) => [
        thinkingLevel,
        model.id,
        tools.length,
        messages.length,
      ]),
    ).toEqual([
      ["off", "small", 0, 0],
      ["high", "small", 0, 0],
      ["high", "large", 0, 0],
      ["high", "large", 1, 0],
      ["high", "large", 1, 1],
    ]);
  });

  it("shows one snapshot per change of a queue, and none for a call that changes nothing", () => {
    const { agent } = setUp();
    const seen = collect(agent);
    const one = user("one");
    agent.steer(one);
    agent.followUp(user("two"));
    agent.dequeue(one);
    agent.dequeue(one);
    agent.clearSteeringQueue();
    agent.clearFollowUpQueue();
    const counts = seen.map(({ queued }) => [queued.steering.length, queued.followUp.length]);
    expect(counts).toEqual([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ]);
  });

  it("shows how a run goes, and its end when the run has settled", async () => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
    const seen: string[] = [];
    agent.state$.subscribe(({ isStreaming, messages, streamingMessage, pendingToolCalls }) => {
      const line = [
        isStreaming ? "streaming" : "idle",
        messages.filter(({ role }) => role !== "system").length,
        streamingMessage?.role ?? "-",
        [...pendingToolCalls].join() || "-",
      ].join(" ");
      if (seen.at(-1) !== line) seen.push(line);
    });
    await agent.prompt("hello");
    expect(seen).toEqual([
      "idle 0 - -",
      "streaming 0 - -",
      "streaming 0 user -",
      "streaming 1 - -",
      "streaming 1 assistant -",
      "streaming 2 - -",
      "streaming 2 - a",
      "streaming 2 - -",
      "streaming 2 toolResult -",
      "streaming 3 - -",
      "streaming 3 assistant -",
      "streaming 4 - -",
      "idle 4 - -",
    ]);
  });

  it("emits the change to isStreaming false after agent_end, before prompt() resolves", async () => {
    const { agent } = setUp();
    const order: string[] = [];
    agent.events$.subscribe(({ type }) => order.push(type));
    agent.state$.subscribe(({ isStreaming }) => {
      if (!isStreaming) order.push("idle");
    });
    await agent.prompt("hello").then(() => order.push("resolved"));
    expect(order.slice(-3)).toEqual(["agent_end", "idle", "resolved"]);
  });

  it("emits only when something has changed", async () => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
    const seen = collect(agent);
    await agent.prompt("hello");
    const same = seen.flatMap((snapshot, nth) => {
      const before = seen[nth - 1];
      if (!before) return [];
      const keys = Object.keys(snapshot) as (keyof AgentSnapshot)[];
      return keys.every((key) => snapshot[key] === before[key]) ? [nth] : [];
    });
    expect(seen.length).toBeGreaterThan(10);
    expect(same).toEqual([]);
  });

  it("joined while it emits shows the snapshot that is being shown, then all that follow", () => {
    const { agent } = setUp();
    const levels: string[][] = [[], []];
    let joined = false;
    agent.state$.subscribe(({ thinkingLevel }) => {
      if (thinkingLevel !== "low" || joined) return;
      joined = true;
      agent.state.thinkingLevel = "high";
      agent.state$.subscribe((snapshot) => levels[1]!.push(snapshot.thinkingLevel));
    });
    agent.state$.subscribe((snapshot) => levels[0]!.push(snapshot.thinkingLevel));
    agent.state.thinkingLevel = "low";
    agent.state.thinkingLevel = "max";
    expect(levels).toEqual([
      ["off", "low", "high", "max"],
      ["low", "high", "max"],
    ]);
  });

  it("completes when the agent is disposed, after the run has settled", async () => {
    const { agent } = setUp();
    const ended: string[] = [];
    agent.state$.subscribe({
      next: ({ isStreaming }) => ended.push(`${isStreaming}`),
      complete: () => ended.push("complete"),
    });
    const settled = agent.prompt("hello");
    agent.dispose();
    await settled;
    expect(ended.slice(-2)).toEqual(["false", "complete"]);
  });
});
