import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent } from "pi-agent-rx";
import { call, fakeModel, fakeTool, type FakeTool, type FakeToolRun } from "pi-agent-rx/testing";
import { virtually } from "../agent/support/virtually";

interface Told {
  at: number;
  type: string;
  text?: string;
  isError?: boolean;
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

/** Calls the tools in one batch; gives the tool events with their times. */
function batch(tools: FakeTool[], now: () => number) {
  const fake = fakeModel([tools.map(({ name }) => call(name)), "done"]);
  const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools } });
  const told: Told[] = [];
  const see = (event: AgentEvent) => {
    const at = now();
    if (event.type === "tool_execution_start") told.push({ at, type: "X" });
    if (event.type === "tool_execution_update")
      told.push({ at, type: "p", text: textOf(event.partialResult) });
    if (event.type === "tool_execution_end")
      told.push({ at, type: "x", text: textOf(event.result), isError: event.isError });
  };
  agent.events$.subscribe(see);
  agent.prompt$("go").subscribe();
  return { agent, told };
}

/** What one call with this run tells. */
const single = (run: FakeToolRun | string) =>
  new Promise<Told[]>((resolve) =>
    virtually(({ flush, now }) => {
      const { told } = batch([fakeTool("work", run)], now);
      flush();
      resolve(told);
    })(),
  );

describe("fakeTool", () => {
  it("gives a text at once", async () => {
    expect(await single("ok")).toEqual([
      { at: 0, type: "X" },
      { at: 0, type: "x", text: "ok", isError: false },
    ]);
  });

  it("gives its result when it is due, and no update with it", async () => {
    expect(await single({ at: 30, text: "ok" })).toEqual([
      { at: 0, type: "X" },
      { at: 30, type: "x", text: "ok", isError: false },
    ]);
  });

  it("reports updates when they are due", async () => {
    const updates = [
      { at: 10, text: "a" },
      { at: 20, text: "b" },
    ];
    expect(await single({ updates, at: 25 })).toEqual([
      { at: 0, type: "X" },
      { at: 10, type: "p", text: "a" },
      { at: 20, type: "p", text: "b" },
      { at: 25, type: "x", text: "done", isError: false },
    ]);
  });

  it("ends with its last update when no end is given", async () => {
    expect((await single({ updates: [{ at: 10, text: "a" }] })).at(-1)).toMatchObject({ at: 10, type: "x" });
  });

  it.each<[FakeToolRun, number]>([
    [{ fail: "broken" }, 0],
    [{ fail: "broken", at: 7 }, 7],
  ])("fails: %j", async (run, at) => {
    expect((await single(run)).at(-1)).toEqual({ at, type: "x", text: "broken", isError: true });
  });

  it("gives a whole result", async () => {
    const content = [{ type: "text" as const, text: "mine" }];
    const told = await single({ result: { content, details: 1, isError: true } });
    expect(told.at(-1)).toMatchObject({ text: "mine", isError: true });
  });

  it(
    "ends with the abort",
    virtually(({ at, flush, now }) => {
      const { agent, told } = batch([fakeTool("work", { stall: true })], now);
      at(50, () => agent.abort());
      flush();
      expect(told.at(-1)).toEqual({ at: 50, type: "x", text: "Operation aborted", isError: true });
      expect(agent.state.isStreaming).toBe(false);
    }),
  );

  it(
    "does not hear the abort when it is told so",
    virtually(({ at, flush, now }) => {
      const { agent, told } = batch([fakeTool("work", { at: 80, ignoreAbort: true })], now);
      at(50, () => agent.abort());
      flush();
      expect(told.at(-1)).toMatchObject({ at: 80, text: "done" });
    }),
  );

  it(
    "runs beside others",
    virtually(({ flush, now }) => {
      const { told } = batch([fakeTool("slow", { at: 20 }), fakeTool("fast", { at: 10 })], now);
      flush();
      expect(told.map(({ at, type }) => `${at}${type}`)).toEqual(["0X", "0X", "10x", "20x"]);
    }),
  );

  it("takes a step a call, and records the calls", async () => {
    const tool = fakeTool("read", ["one", (params) => `two ${JSON.stringify(params)}`]);
    const fake = fakeModel([call("read", { n: 1 }), call("read", { n: 2 }), call("read"), "done"]);
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools: [tool] } });
    await agent.prompt("go");
    expect(tool.calls.map(({ toolCallId, params }) => [toolCallId, params])).toEqual([
      ["call_1", { n: 1 }],
      ["call_2", { n: 2 }],
      ["call_3", {}],
    ]);
    const results = agent.state.messages.filter(({ role }) => role === "toolResult");
    expect(results.map(textOf)).toEqual([
      "one",
      'two {"n":2}',
      'fakeTool "read": call 3, but the script holds 2 runs',
    ]);
  });

  it("can be awaited", async () => {
    const output = fakeTool("read", { at: 1, text: "ok" }).execute("id", {}) as PromiseLike<unknown>;
    expect(textOf(await output)).toBe("ok");
    const failing = fakeTool("read", { at: 1, fail: "no" }).execute("id", {}) as PromiseLike<unknown>;
    await expect(Promise.resolve(failing)).rejects.toThrow("no");
  });

  it("has the fields it is given", () => {
    const tool = fakeTool("read", "ok", { executionMode: "sequential", description: "Reads." });
    expect(tool).toMatchObject({ name: "read", label: "read", executionMode: "sequential" });
  });

  it("names what is no script", () => {
    expect(() => fakeTool("read", 5 as never)).toThrow(
      'fakeTool "read": expected a text, a run or a function, got 5',
    );
    expect(() => fakeTool("read", { at: -1 })).toThrow("at: expected a number of ms");
    expect(() => fakeTool("read", { updates: [{ at: NaN }] })).toThrow("updates[0].at: expected");
  });
});
