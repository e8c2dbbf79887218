import { describe, expect, it } from "@jest/globals";
import type { Agent, AgentEvent, AgentSnapshot } from "pi-agent-rx";
import { calls, inShort, lines, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

type Act = [string, (agent: Agent) => void];
const acts: Act[] = [
  ["steer", (agent) => agent.steer(user("steered"))],
  ["followUp", (agent) => agent.followUp(user("followed"))],
  ["abort", (agent) => agent.abort()],
  ["assign tools", (agent) => (agent.state.tools = [tool(), tool(() => undefined, { name: "more" })])],
  ["assign the thinking level", (agent) => (agent.state.thinkingLevel = "high")],
  ["clear the queues", (agent) => agent.clearAllQueues()],
  ["prompt", (agent) => void agent.prompt("again").catch(() => {})],
  ["subscribe", (agent) => void agent.subscribe(() => {})()],
];
const types: AgentEvent["type"][] = [
  "agent_start",
  "turn_start",
  "message_start",
  "message_update",
  "message_end",
  "tool_execution_start",
  "tool_execution_end",
  "turn_end",
  "agent_end",
];

/** What four witnesses saw of a run in which `act` is done once, by a listener or an observer in their middle. */
function witnesses(type: string, from: "listener" | "observer", act: Act[1]) {
  const seen: AgentEvent[][] = [[], [], [], []];
  virtually(({ flush }) => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
    let done = false;
    const doOnce = (event: AgentEvent) => {
      if (done || event.type !== type) return;
      done = true;
      act(agent);
    };
    agent.subscribe((event) => void seen[0]!.push(event));
    if (from === "listener") agent.subscribe(doOnce);
    agent.subscribe((event) => void seen[1]!.push(event));
    agent.events$.subscribe((event) => seen[2]!.push(event));
    if (from === "observer") agent.events$.subscribe(doOnce);
    agent.events$.subscribe((event) => seen[3]!.push(event));
    const own: AgentEvent[] = [];
    agent.prompt$("hello").subscribe((event) => own.push(event));
    flush();
    expect(own).toEqual(seen[0]);
    expect(done).toBe(true);
  })();
  return seen;
}

describe.each(["listener", "observer"] as const)("an agent that a %s calls back into", (from) => {
  describe.each(acts)("to %s", (_what, act) => {
    it.each(types)("at %s shows everyone the same events in the same order", (type) => {
      const [first, ...others] = witnesses(type, from, act);
      for (const other of others) expect(other).toEqual(first);
      expect(faultsOf(first!)).toEqual([]);
      expect(first!.filter((event) => event.type === "agent_start")).toHaveLength(1);
    });
  });
});

describe("state$ while its observers change the state", () => {
  it("shows all of them the same snapshots in the same order", () => {
    const { agent } = setUp();
    const seen: AgentSnapshot[][] = [[], [], []];
    agent.state$.subscribe((snapshot) => seen[0]!.push(snapshot));
    agent.state$.subscribe(({ queued, thinkingLevel }) => {
      if (queued.steering.length === 1) agent.steer(user("two"));
      if (queued.steering.length === 2 && thinkingLevel === "off") agent.state.thinkingLevel = "low";
    });
    agent.state$.subscribe((snapshot) => seen[1]!.push(snapshot));
    agent.steer(user("one"));
    expect(
      seen[0]!.map(({ queued, thinkingLevel }) => [queued.steering.map(inShort), thinkingLevel]),
    ).toEqual([
      [[], "off"],
      [["user one"], "off"],
      [["user one", "user two"], "off"],
      [["user one", "user two"], "low"],
    ]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it("shows a joining observer what it changes when it sees the current one", () => {
    const { agent } = setUp();
    const seen: string[][] = [[], []];
    agent.state$.subscribe(({ thinkingLevel }) => seen[0]!.push(thinkingLevel));
    agent.state$.subscribe(({ thinkingLevel }) => {
      seen[1]!.push(thinkingLevel);
      if (thinkingLevel === "off") agent.state.thinkingLevel = "low";
    });
    expect(seen).toEqual([
      ["off", "low"],
      ["off", "low"],
    ]);
  });

  it("keeps to one order with the events of a run", () => {
    virtually(({ flush }) => {
      const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
      const seen: number[][] = [[], []];
      agent.state$.subscribe(({ messages }) => seen[0]!.push(messages.length));
      agent.state$.subscribe(({ pendingToolCalls }) => {
        if (pendingToolCalls.size > 0 && !agent.hasQueuedMessages()) agent.steer(user("more"));
      });
      agent.state$.subscribe(({ messages }) => seen[1]!.push(messages.length));
      agent.prompt$("hello").subscribe();
      flush();
      expect(seen[1]).toEqual(seen[0]);
      expect([...seen[0]!].sort((a, b) => a - b)).toEqual(seen[0]);
      expect(transcript(agent.state.messages)).toContain("user more");
    })();
  });
});

describe("a run that starts when another has ended", () => {
  it("from state$ showing that nothing streams any more follows it", async () => {
    const { agent, events, requests } = setUp();
    const runs: Promise<void>[] = [];
    let started = false;
    agent.state$.subscribe(({ isStreaming, messages }) => {
      if (isStreaming || messages.length < 2 || started) return;
      started = true;
      runs.push(agent.prompt("again"));
    });
    await agent.prompt("hello");
    await Promise.all(runs);
    expect(requests).toHaveLength(2);
    expect(lines(events).filter((line) => line.startsWith("agent_"))).toEqual([
      "agent_start",
      "agent_end completed",
      "agent_start",
      "agent_end completed",
    ]);
  });

  it("from the completion of prompt$ follows it", () => {
    virtually(({ flush }) => {
      const { agent, requests } = setUp();
      agent.prompt$("hello").subscribe({ complete: () => agent.prompt$("again").subscribe() });
      flush();
      expect(requests).toHaveLength(2);
      expect(agent.state.isStreaming).toBe(false);
    })();
  });
});
