import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { Agent, type AgentEvent, type AgentMessage } from "pi-agent-rx";
import {
  call,
  checkRun,
  fail,
  fakeModel,
  fakeTool,
  laws,
  LawViolation,
  stall,
  verifyRun,
  type FakeResponse,
  type RecordingEntry,
} from "pi-agent-rx/testing";
import { from, Subject } from "rxjs";
import { unrulyScript } from "../conformance/arbitraries/scripts";
import { drive } from "../conformance/driver/drive";
import { useVirtualTime } from "../conformance/driver/virtualTime";
import { WITNESS } from "../conformance/invariants/run";
import { entriesOf } from "../conformance/log";
import { holds } from "../conformance/property";
import type { Script } from "../conformance/script";
import { Ours } from "../conformance/sides";
import { assistant, call as toolCall, toolResult, user } from "../support/fixtures";

const start: AgentEvent = { type: "agent_start" };
const turn: AgentEvent = { type: "turn_start" };
const end: AgentEvent = { type: "agent_end", messages: [] };
const turnEnd = (message: AgentMessage): AgentEvent => ({ type: "turn_end", message, toolResults: [] });
const told = (message: AgentMessage): AgentEvent[] => [
  { type: "message_start", message },
  { type: "message_end", message },
];
const hello = assistant("hello");
const calls = assistant([toolCall("c1")]);
const toolStart = (toolCallId: string): AgentEvent => ({
  type: "tool_execution_start",
  toolCallId,
  toolName: "echo",
  args: {},
});
const toolEnd = (toolCallId: string): AgentEvent => ({
  type: "tool_execution_end",
  toolCallId,
  toolName: "echo",
  result: {},
  isError: false,
});
const request = { number: 2, at: 0, model: "m", messages: [], options: {} };

/** A whole lawful run, with these events in its turn. */
const run = (...events: AgentEvent[]): AgentEvent[] => [start, turn, ...events, turnEnd(hello), end];
const event = (told: AgentEvent): RecordingEntry => ({ kind: "event", after: 0, event: told });

/** The violation, or undefined for a lawful run. */
function complaint(events: readonly AgentEvent[], ...more: RecordingEntry[]): string | undefined {
  try {
    checkRun({ version: 1, entries: [...events.map(event), ...more] });
  } catch (error) {
    if (error instanceof LawViolation) return error.message;
    throw error;
  }
  return undefined;
}

describe("checkRun", () => {
  it("finds nothing in a lawful run", () => {
    const answered = [...told(calls), toolStart("c1"), toolEnd("c1"), ...told(toolResult("c1"))];
    expect(complaint(run(...told(user("hi")), ...answered))).toBeUndefined();
    expect(complaint([...run(), ...run()])).toBeUndefined();
    expect(complaint([])).toBeUndefined();
  });

  it.each<[string, AgentEvent[]]>([
    ["I2: agent_end told twice", [...run(), end]],
    ["I2: turn_start outside a run", [turn]],
    ["I2: message_start outside a run", [...run(), ...told(hello)]],
    ["I2: agent_start inside a run", [start, start]],
    ["I1: turn_end while c1 has no result", run(...told(calls))],
    ["I1: a result of c9, which is not open", run(...told(calls), ...told(toolResult("c9")))],
    [
      "I1: a result of c1, which is not open",
      run(...told(calls), ...told(toolResult("c1")), ...told(toolResult("c1"))),
    ],
    [
      "I1: a result of c1, which is not open",
      run(...told(assistant(calls.content, { stopReason: "aborted" })), ...told(toolResult("c1"))),
    ],
    ["I1: user message while c1 has no result", run(...told(calls), toolStart("c1"), ...told(user("hi")))],
    ["I3: the run never ended", [start, turn]],
    [
      "I4: turn_start after a turn that was aborted or failed",
      [start, turn, turnEnd(assistant("", { stopReason: "aborted" })), turn],
    ],
    [
      "I6: agent_end holds a user message that was not committed once, in this order",
      [start, turn, turnEnd(hello), { type: "agent_end", messages: [user("hi")] }],
    ],
    ["grammar: message_start inside a message", run(...told(hello).slice(0, 1), ...told(hello))],
    ["grammar: message_end of a message that never began", run(...told(hello).slice(1))],
    [
      "grammar: message_update outside a message",
      run({
        type: "message_update",
        message: hello,
        assistantMessageEvent: { type: "start", partial: hello },
      }),
    ],
    ["grammar: turn_end inside a message", run(...told(hello).slice(0, 1))],
    ["grammar: turn_start inside a turn", run(turn)],
    ["grammar: turn_end outside a turn", [start, turnEnd(hello)]],
    ["grammar: agent_end inside a turn", [start, turn, end]],
    ["grammar: tool_execution_end of c1, which does not run", run(toolEnd("c1"))],
    ["grammar: turn_end while c1 runs", run(toolStart("c1"))],
    ["grammar: tool_execution_start outside a turn", [start, toolStart("c1")]],
  ])("says %s", (message, events) => {
    expect(complaint(events)).toBe(message);
  });

  it.each<[string, RecordingEntry[]]>([
    [
      "I1: request 2 while c1 has no result",
      [...told(calls).map(event), { kind: "request", after: 0, request }],
    ],
    [
      "I4: request 2 after an abort",
      [
        { kind: "abort", after: 0 },
        { kind: "request", after: 0, request },
      ],
    ],
    ["I5: boom escaped", [{ kind: "trouble", after: 0, what: "boom" }]],
    ["I7: an observer saw event 1 when event 0 was due", [{ kind: "observed", after: 0, event: 1 }]],
    [
      "I8: turn_end.message changed after it was shown",
      [{ kind: "changed", after: 0, what: "turn_end.message" }],
    ],
    [
      "I9: 2 tool calls pend while the agent is at rest",
      [{ kind: "rest", after: 0, pendingToolCalls: 2, streaming: false }],
    ],
    [
      "I9: a message still streams while the agent is at rest",
      [{ kind: "rest", after: 0, pendingToolCalls: 0, streaming: true }],
    ],
  ])("says %s of a recording", (message, entries) => {
    expect(complaint([start, turn], ...entries)).toBe(message);
  });

  it("lets a failure between two turns end with a turn_end alone, as pi does", () => {
    const failed = assistant("", { stopReason: "error" });
    expect(complaint([start, turn, turnEnd(hello), ...told(failed), turnEnd(failed), end])).toBeUndefined();
  });

  it("does not ask for results of calls that a user committed", () => {
    expect(complaint(run(...told(calls), ...told(user("hi")), ...told(hello)))).toBeUndefined();
  });

  it("takes events as they are", () => {
    expect(() => checkRun(run())).not.toThrow();
    expect(() => checkRun([...run(), end])).toThrow("I2: agent_end told twice");
  });

  it("says which entry broke the law", () => {
    const stray = event(turn);
    try {
      checkRun({ version: 1, entries: [stray] });
      throw new Error("no violation");
    } catch (error) {
      expect(error).toMatchObject({ name: "LawViolation", law: "I2", entry: stray });
    }
  });

  it("knows ten laws by name", () => {
    expect(laws.map(({ name }) => name).sort()).toEqual([
      ...["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9"],
      "grammar",
    ]);
  });
});

describe("verifyRun", () => {
  it.each<[string, FakeResponse[]]>([
    ["talks", ["hello"]],
    ["uses tools", [[call("echo"), call("echo")], "done"]],
    ["fails", [fail("no")]],
    ["runs out", []],
    ["stalls and is aborted", [stall()]],
  ])("lets a run pass that %s", async (_, script) => {
    const fake = fakeModel(script);
    const tools = [fakeTool("echo", { at: 1 })];
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools } });
    const seen: AgentEvent[] = [];
    const verified: AgentEvent[] = [];
    const errors: unknown[] = [];
    agent.events$.subscribe((told) => seen.push(told));
    agent.events$.pipe(verifyRun()).subscribe({
      next: (told) => verified.push(told),
      error: (error) => errors.push(error),
    });
    const settled = agent.prompt("go");
    agent.subscribe(({ type }) => {
      if (type === "message_update" || (type === "message_start" && script.length === 1)) agent.abort();
    });
    await settled;
    await agent.prompt("again");
    agent.dispose();
    expect(errors).toEqual([]);
    expect(verified).toEqual(seen);
  });

  it("fails at the event that breaks a law, which does not pass", () => {
    const passed: string[] = [];
    const errors: string[] = [];
    from([...run(), end, turn])
      .pipe(verifyRun())
      .subscribe({ next: ({ type }) => passed.push(type), error: (error) => errors.push(error.message) });
    expect(passed).toEqual(["agent_start", "turn_start", "turn_end", "agent_end"]);
    expect(errors).toEqual(["I2: agent_end told twice"]);
  });

  it.each<[string, (told: { message: AgentMessage & { errorMessage?: string } }) => void]>([
    ["I8: turn_end.message changed after it was shown", (told) => (told.message = hello)],
    [
      "I8: turn_end.message.errorMessage changed after it was shown",
      ({ message }) => (message.errorMessage = "x"),
    ],
  ])("says %s", (message, change) => {
    const events$ = new Subject<AgentEvent>();
    const errors: string[] = [];
    events$.pipe(verifyRun()).subscribe({ error: (error) => errors.push(error.message) });
    const ended = turnEnd(assistant("bye"));
    for (const told of [start, turn, ended]) events$.next(told);
    change(ended as never);
    events$.next(end);
    expect(errors).toEqual([message]);
  });

  it("tells of a run that never ended when its stream does, and passes errors on", () => {
    const errors: string[] = [];
    const observer = { error: (error: Error) => errors.push(error.message) };
    from([start]).pipe(verifyRun()).subscribe(observer);
    const failing$ = new Subject<AgentEvent>();
    failing$.pipe(verifyRun()).subscribe(observer);
    failing$.error(new Error("own"));
    expect(errors).toEqual(["I3: the run never ended", "own"]);
  });
});

describe("laws", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("hold of random runs under aborts, stalls and failures", async () => {
    await holds(60, unrulyScript, async (script: Script) => {
      const log = await drive(Ours, script, { exact: false });
      const events = entriesOf(log, "event").filter(({ listener }) => listener === WITNESS);
      return complaint(events.map((entry) => entry.event as never));
    });
  }, 120_000);
});
