import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent, type AgentTurnContext } from "pi-agent-rx";
import { limits, type RunLimits } from "pi-agent-rx/operators";
import { delay } from "rxjs";
import { assistant, call, context, model, output, tool, toolResult, user } from "../support/fixtures";
import { response } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const usage = {
  ...assistant("").usage,
  totalTokens: 10,
  cost: { ...assistant("").usage.cost, total: 0.25 },
};

/** Runs an agent that would call a tool for ever, up to 20 turns; how it ended, and after how many turns. */
function runWith(most: RunLimits, text: (turn: number) => string = String) {
  let turns = 0;
  let end: Extract<AgentEvent, { type: "agent_end" }> | undefined;
  const agent = new Agent({
    initialState: { model, tools: [tool("echo", () => output(text(turns), { usage }))] },
    streamFn: () => {
      const asks = assistant([call(`${++turns}a`), call(`${turns}b`, "echo", { n: turns })], { usage });
      return response(turns < 20 ? asks : assistant("bye")).pipe(delay(100));
    },
    finishTurn: limits(most),
  });
  virtually(() => {
    agent.events$.subscribe((event) => {
      if (event.type === "agent_end") end = event;
    });
    agent.prompt$("x").subscribe();
  });
  return { turns, outcome: end?.outcome, reason: end?.reason, agent };
}

const turnOf = (newMessages: AgentTurnContext["newMessages"]) =>
  ({
    message: assistant(""),
    toolResults: [],
    context: context(),
    newMessages,
  }) as unknown as AgentTurnContext;

describe("limits", () => {
  it.each([
    ["turns", { turns: 3 }, 3],
    ["toolCalls", { toolCalls: 5 }, 3],
    ["tokens", { tokens: 60 }, 2],
    ["cost", { cost: 0.8 }, 2],
    ["ms", { ms: 250 }, 3],
    ["repeatedCalls", { repeatedCalls: 4 }, 4],
  ] as const)("ends a run by %s, after the turn", (reason, most, turns) => {
    const run = runWith(most, () => "same");
    expect(run).toMatchObject({ turns, outcome: "stopped", reason });
    expect(run.agent.state.messages.at(-1)).toMatchObject({ role: "toolResult" });
    expect(run.agent.state.errorMessage).toBeUndefined();
  });

  it("names the first that is reached", () => {
    expect(runWith({ turns: 9, tokens: 100 })).toMatchObject({ reason: "tokens" });
  });

  it("does not take a call for a repeated one that gives something else", () => {
    expect(runWith({ repeatedCalls: 4 })).toMatchObject({ outcome: "completed", turns: 20 });
  });

  it("takes a call for the same one whatever it gives, where that is asked for", () => {
    expect(runWith({ sameCalls: 4 })).toMatchObject({ reason: "sameCalls", turns: 4, outcome: "stopped" });
  });

  it("lets a run end by itself within its limits", () => {
    const run = runWith({
      turns: 99,
      toolCalls: 999,
      tokens: 9999,
      cost: 99,
      ms: 99_999,
      repeatedCalls: 99,
      sameCalls: 99,
    });
    expect(run).toMatchObject({ outcome: "completed", reason: undefined });
  });

  it("counts each run by itself, and reads each message once", () => {
    const limit = limits({ turns: 2 });
    const first = [user("hi"), assistant("a")];
    expect(limit(turnOf(first))).toBeUndefined();
    expect(limit(turnOf([assistant("b")]))).toBeUndefined();
    first.push(toolResult("1") as never, assistant("c"));
    expect(limit(turnOf(first))).toEqual({ action: "end", reason: "turns" });
  });

  it("names what it expects", () => {
    expect(() => limits({ turns: 0 })).toThrow("turns: expected a number > 0, got 0");
    expect(() => limits({ cost: NaN })).toThrow("cost: expected a number > 0");
  });
});
