import { describe, expect, it, jest } from "@jest/globals";
import { firstValueFrom, last } from "rxjs";
import { Agent, agentRun, runToolCall, type AgentRunOptions } from "pi-agent-rx";
import { calls, model, user } from "./support/messages";
import { scripted } from "./support/provider";
import { tool } from "./support/tools";

const TURNS = 200;

function counted(signal: AbortSignal) {
  const added = jest.spyOn(signal, "addEventListener");
  const removed = jest.spyOn(signal, "removeEventListener");
  return {
    pairs: () => [added.mock.calls.length, removed.mock.calls.length],
    balance: () => added.mock.calls.length - removed.mock.calls.length,
  };
}

const manyTurns = () => scripted(Array.from({ length: TURNS - 1 }, (_, nth) => calls(`a${nth}`, `b${nth}`)));

function lowLevel(signal: AbortSignal, fields: Partial<AgentRunOptions> = {}): AgentRunOptions {
  return {
    prompts: [user("hello")],
    context: { messages: [], tools: [tool()] },
    config: {
      model,
      convertToLlm: (messages) => messages,
      transformContext: async (messages) => messages,
    },
    signal,
    ...fields,
  };
}

describe("listeners on an abort signal", () => {
  it("are added and removed in pairs: 200 turns of the bare loop leave none", async () => {
    const { signal } = new AbortController();
    const { streamFn, requests } = manyTurns();
    const { balance } = counted(signal);
    let most = 0;
    const watched = tool(() => {
      most = Math.max(most, balance());
      return { content: [], details: undefined };
    });
    const options = lowLevel(signal, { streamFn, context: { messages: [], tools: [watched] } });
    await firstValueFrom(agentRun(options).pipe(last()));
    expect(requests).toHaveLength(TURNS);
    expect(balance()).toBe(0);
    expect(most).toBe(1);
  });

  it("are removed from a caller's signal when a run fails, is aborted or is left", async () => {
    const controller = new AbortController();
    const { pairs, balance } = counted(controller.signal);
    const failing = lowLevel(controller.signal, {
      streamFn: () => {
        throw new Error("boom");
      },
    });
    await expect(firstValueFrom(agentRun(failing).pipe(last()))).rejects.toThrow("boom");
    expect(balance()).toBe(0);
    agentRun(lowLevel(controller.signal, { streamFn: () => new Promise(() => {}) }))
      .subscribe()
      .unsubscribe();
    expect(balance()).toBe(0);
    const left = agentRun(lowLevel(controller.signal, { streamFn: scripted([]).streamFn }));
    const settled = firstValueFrom(left.pipe(last()));
    controller.abort();
    await settled;
    expect(balance()).toBe(0);
    expect(pairs()).toEqual([3, 3]);
  });

  it("are removed from the signal of runToolCall", async () => {
    const { signal } = new AbortController();
    const { pairs } = counted(signal);
    await runToolCall(
      { type: "toolCall", id: "a", name: "work", arguments: {} },
      { tools: [tool()], assistantMessage: calls("a"), context: { messages: [] }, signal },
    );
    expect(pairs()).toEqual([1, 1]);
  });

  it("stay few on an agent's own signal, however many turns and calls the run has", async () => {
    const { streamFn, requests } = manyTurns();
    const agent = new Agent({ streamFn, initialState: { model, tools: [tool()] } });
    let count: ReturnType<typeof counted> | undefined;
    agent.subscribe((event, signal) => {
      if (event.type === "agent_start") count = counted(signal);
    });
    await agent.prompt("hello");
    expect(requests).toHaveLength(TURNS);
    expect(count!.balance()).toBe(0);
  });
});
