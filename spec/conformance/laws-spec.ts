import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { abortsAreBounded } from "./invariants/abortsAreBounded";
import { laws, type Law } from "./invariants/laws";
import type { Entry, EventEntry, Log } from "./log";
import type { ResponseSpec, Script } from "./script";
import { Ours } from "./sides";

const response: ResponseSpec = {
  from: "stream",
  opens: 0,
  pace: 0,
  streamed: true,
  start: true,
  live: false,
  blocks: [],
  end: { done: "toolUse" },
  trailing: 0,
};

const callOf = (tool: string, settles: number) => ({
  call: {
    tool,
    args: "valid" as const,
    does: { settles, updates: [], outcome: { returns: { content: ["done"] } } },
  },
});

/** Two tools at once, a message steered meanwhile, two listeners. */
const script: Script = {
  agent: {},
  initial: { tools: [0, 1], messages: [], model: 0, level: "off" },
  palette: ["read", "write"].map((name) => ({ name, description: name })),
  responses: [{ ...response, blocks: [callOf("read", 50), callOf("write", 10)] }],
  hooks: {},
  listeners: [0, 1].map(() => ({ delays: {}, reactions: [] })),
  actions: [{ at: 20, action: { do: "steer", message: { role: "user", text: "and this" } } }],
  steps: [{ step: "prompt", input: { message: { role: "user", text: "do this" } }, sameTick: [] }],
};

type Test = (entry: Entry) => boolean;

const shown = (type: string, role?: string): Test => {
  return (entry) =>
    entry.kind === "event" &&
    entry.listener === 0 &&
    entry.type === type &&
    (role === undefined || JSON.stringify(entry.event).includes(`"role":"${role}"`));
};
const named = (type: string, name: string): Test => {
  return (entry) => shown(type)(entry) && (entry as EventEntry).message === name;
};
const settled: Test = (entry) => entry.kind === "step" && entry.phase === "settled";

function without(log: Log, test: Test): Log {
  const at = log.findIndex(test);
  expect(at).toBeGreaterThanOrEqual(0);
  return log.filter((_, n) => n !== at);
}

function changed(log: Log, test: Test, fields: object): Log {
  const at = log.findIndex(test);
  expect(at).toBeGreaterThanOrEqual(0);
  return log.map((entry, n) => (n === at ? { ...entry, ...fields } : entry));
}

function withBefore(log: Log, test: Test, added: Entry): Log {
  const at = log.findIndex(test);
  expect(at).toBeGreaterThanOrEqual(0);
  return [...log.slice(0, at), added, ...log.slice(at)];
}

function swapped(log: Log, test: Test): Log {
  const [first = 0, second = 0] = log.flatMap((entry, n) => (test(entry) ? [n] : []));
  return log.map((entry, n) => (n === first ? log[second] : n === second ? log[first] : entry) ?? entry);
}

const abort: Entry = { kind: "action", at: 0, from: "a test", action: { do: "abort" }, outcome: null };
const secondRequest: Test = (entry) => entry.kind === "request" && entry.nth === 1;
const observed: Test = (entry) => entry.kind === "observed" && entry.observer === 0;

/** For each law, how a log that keeps it is spoilt. */
const faults: Record<string, (log: Log) => Log> = {
  everyCallHasOneResult: (log) => without(log, shown("message_end", "toolResult")),
  everyRunStartsAndEndsOnce: (log) => without(log, shown("agent_end")),
  everythingSettles: (log) => without(log, settled),
  nothingStartsAfterAnAbort: (log) => withBefore(log, secondRequest, abort),
  nothingEscapes: (log) => [
    ...log,
    { kind: "trouble", at: 9, what: "unhandled rejection", detail: "escaped" },
  ],
  queuedMessagesAreInOnePlace: (log) => without(log, named("message_end", "user-1")),
  everyoneSeesTheSame: (log) => swapped(log, observed),
  oneEventAtATime: (log) => without(log, (entry) => entry.kind === "heard" && entry.listener === 1),
  shownThingsStay: (log) => [...log, { kind: "changed", at: 9, what: "stopReason of a message" }],
  theAgentStaysUsable: (log) =>
    changed(log, (entry) => entry.kind === "final", { state: { error: "still there" } }),
  everythingIsClosed: (log) => without(log, shown("tool_execution_end")),
  outcomesAreTrue: (log) =>
    changed(log, shown("agent_end"), { event: { type: "agent_end", outcome: "failed" } }),
  listenerFailuresAreContained: (log) => changed(log, settled, { outcome: "rejected: nobody knows why" }),
  promptsAreCommitted: (log) => without(log, named("message_end", "user-0")),
  abandonedCallsSaySo: (log) => without(log, (entry) => entry.kind === "tool" && entry.phase === "settles"),
  streamingLastsUntilSettled: (log) =>
    changed(log, (entry) => entry.kind === "rest", { state: { isStreaming: true } }),
  pendingCallsAreTrue: (log) => without(log, shown("tool_execution_start")),
};

describe("laws", () => {
  let good: Log = [];
  beforeAll(async () => {
    useVirtualTime();
    good = await drive(Ours, script, { exact: false });
  });
  afterAll(() => void jest.useRealTimers());

  it.each(laws.map((law): [string, Law] => [law.name, law]))(
    "%s has nothing to say of a good run",
    (_, law) => {
      expect(law(good)).toBeUndefined();
    },
  );

  it.each(laws.map((law): [string, Law] => [law.name, law]))("%s finds its fault", (name, law) => {
    expect(law(faults[name]!(good))).toEqual(expect.any(String));
  });

  it("abortsAreBounded finds a run that takes longer than its grace", () => {
    const aborted = withBefore(good, shown("turn_start"), abort);
    expect(abortsAreBounded(1000)(aborted)).toBeUndefined();
    expect(abortsAreBounded(0)(aborted)).toEqual(expect.any(String));
  });
});
