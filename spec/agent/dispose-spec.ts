import { describe, expect, it } from "@jest/globals";
import { NEVER } from "rxjs";
import { calls, lines, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

function watched(options: Parameters<typeof setUp>[0] = {}) {
  const harness = setUp({ abortGraceMs: 50, ...options });
  const ended: string[] = [];
  harness.agent.events$.subscribe({ complete: () => ended.push("events$") });
  harness.agent.state$.subscribe({ complete: () => ended.push("state$") });
  return { ...harness, ended };
}

describe("dispose", () => {
  it("completes events$ and state$ at once when nothing runs", () => {
    const { agent, ended } = watched();
    agent.dispose();
    expect(ended).toEqual(["events$", "state$"]);
  });

  it(
    "aborts the current run, and completes both when that run has settled",
    virtually(({ at, flush, now }) => {
      const { agent, events, ended } = watched({ responses: [calls("a")], tools: [tool(() => NEVER)] });
      agent.prompt$("hello").subscribe({ complete: () => ended.push(`prompt$ ${now()}`) });
      at(10, () => agent.dispose());
      at(59, () => expect(ended).toEqual([]));
      flush();
      expect(lines(events).at(-1)).toBe("agent_end aborted");
      expect(faultsOf(events)).toEqual([]);
      expect(transcript(agent.state.messages).at(-1)).toBe("result a error: Operation aborted");
      expect([...ended].sort()).toEqual(["events$", "prompt$ 60", "state$"]);
      expect.assertions(5);
    }),
  );

  it("may be called again", () => {
    const { agent, ended } = watched();
    agent.dispose();
    agent.dispose();
    expect(ended).toHaveLength(2);
  });

  it("is what using does", () => {
    const { agent, ended } = watched();
    agent[Symbol.dispose]();
    expect(ended).toEqual(["events$", "state$"]);
  });

  it("refuses new runs, by promise and by observable", async () => {
    const { agent, requests } = watched({ initialState: { messages: [user("hello")] } });
    agent.dispose();
    await expect(agent.prompt("hello")).rejects.toThrow("Agent is disposed");
    await expect(agent.continue()).rejects.toThrow("Agent is disposed");
    const errors: Error[] = [];
    agent.prompt$("hello").subscribe({ error: (error: Error) => errors.push(error) });
    expect(errors[0]!.message).toBe("Agent is disposed");
    expect(requests).toEqual([]);
  });

  it("leaves the state readable; late subscribers see it and complete", () => {
    const { agent } = watched();
    agent.dispose();
    const seen: string[] = [];
    agent.state$.subscribe({
      next: ({ isStreaming }) => seen.push(`${isStreaming}`),
      complete: () => seen.push("complete"),
    });
    agent.events$.subscribe({ complete: () => seen.push("complete") });
    expect(seen).toEqual(["false", "complete", "complete"]);
  });

  it("in a listener settles the run first", async () => {
    const { agent, events, ended } = watched();
    agent.subscribe(({ type }) => {
      if (type === "turn_start") agent.dispose();
    });
    await agent.prompt("hello");
    expect(faultsOf(events)).toEqual([]);
    expect(ended).toHaveLength(2);
    expect(agent.state.isStreaming).toBe(false);
  });

  it("lets those who wait for idle go", async () => {
    const { agent } = watched();
    const settled = agent.prompt("hello");
    agent.dispose();
    await agent.waitForIdle();
    await settled;
    expect(agent.state.isStreaming).toBe(false);
  });
});
