import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { Agent, type AgentEvent, type AgentMessage, type AgentQueues } from "pi-agent-rx";
import {
  agentTest,
  call,
  checkRun,
  fail,
  fakeModel,
  fakeTool,
  marbles,
  recordRun,
  verifyRun,
  type QueueFact,
  type Recording,
} from "pi-agent-rx/testing";
import { BehaviorSubject, Subject } from "rxjs";
import { virtually } from "../agent/support/virtually";
import { user } from "../support/fixtures";

const queued = (steering: number[], followUp: number[] = []): QueueFact => ({
  kind: "queued",
  steering,
  followUp,
});
const delivered = (message: number): QueueFact => ({ kind: "delivered", message });
const takenBack = (...messages: number[]): QueueFact => ({ kind: "takenBack", messages });
const rest = { kind: "rest", pendingToolCalls: 0, streaming: false } as const;

/** What the laws say of these facts. */
function complaint(...facts: (QueueFact | typeof rest)[]): string | undefined {
  try {
    checkRun({ version: 1, entries: facts.map((fact) => ({ after: 0, ...fact })) });
  } catch (error) {
    return (error as Error).message;
  }
  return undefined;
}

describe("I6 of recorded queues", () => {
  it.each<[string, Parameters<typeof complaint>]>([
    [
      "delivery in order",
      [queued([1]), queued([1, 2]), queued([2]), delivered(1), queued([]), delivered(2), rest],
    ],
    ["a follow-up that waits on", [queued([1], [2]), queued([], [2]), delivered(1), rest]],
    ["what was taken and given back", [queued([1, 2]), queued([2]), queued([1, 2]), rest]],
    ["what was dequeued", [queued([1, 2]), queued([2]), takenBack(1), queued([]), delivered(2), rest]],
    ["what was cleared while it was on its way", [queued([1]), queued([]), takenBack(1), delivered(1), rest]],
  ])("lets %s pass", (_, facts) => {
    expect(complaint(...facts)).toBeUndefined();
  });

  it.each<[string, Parameters<typeof complaint>]>([
    ["I6: queued message 1 was delivered twice", [queued([1]), queued([]), delivered(1), delivered(1)]],
    ["I6: queued message 1 was delivered and still waits", [queued([1]), delivered(1)]],
    [
      "I6: queued message 1 waits again after it was delivered",
      [queued([1]), queued([]), delivered(1), queued([1])],
    ],
    [
      "I6: queued message 2 was delivered before 1, which was queued earlier",
      [queued([1, 2]), queued([1]), delivered(2)],
    ],
    [
      "I6: the followUp queue holds 2, 1 instead of 1, 2",
      [queued([], [1, 2]), queued([], []), queued([], [2, 1])],
    ],
    ["I6: queued message 1 is neither delivered nor in its queue", [queued([1]), queued([]), rest]],
  ])("says %s", (message, facts) => {
    expect(complaint(...facts)).toBe(message);
  });
});

const ACTIONS = [
  "steer",
  "followUp",
  "abort",
  "dequeue",
  "clearSteeringQueue",
  "clearAllQueues",
  "prompt",
] as const;

/** Records a run in which a user does these things. */
function recorded(actions: readonly (readonly [number, (typeof ACTIONS)[number]])[]): Recording {
  const responses = [
    [call("echo"), call("echo")],
    "a",
    fail("no"),
    [call("echo")],
    "b",
    "c",
    "d",
    "e",
    "f",
    "g",
  ];
  const fake = fakeModel([...responses, ...responses], { pace: 3 });
  const tools = [fakeTool("echo", { at: 4 })];
  const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools } });
  const recorder = recordRun(agent);
  const sent: AgentMessage[] = [];
  const message = () => {
    sent.push(user(String(sent.length)));
    return sent.at(-1)!;
  };
  const acts: Record<(typeof ACTIONS)[number], () => unknown> = {
    steer: () => agent.steer(message()),
    followUp: () => agent.followUp(message()),
    abort: () => agent.abort(),
    dequeue: () => agent.dequeue(sent.at(-1) ?? user("none")),
    clearSteeringQueue: () => agent.clearSteeringQueue(),
    clearAllQueues: () => agent.clearAllQueues(),
    prompt: () => agent.state.isStreaming || agent.prompt$("go").subscribe(),
  };
  virtually(({ at, flush }) => {
    agent.prompt$("go").subscribe();
    for (const [frame, action] of actions) at(frame, acts[action]);
    flush();
  })();
  return recorder.stop();
}

const facts = ({ entries }: Recording) =>
  entries.flatMap((entry) =>
    entry.kind === "queued" || entry.kind === "delivered" || entry.kind === "takenBack" ? [entry] : [],
  );

describe("recordRun of queues", () => {
  it("records what waits, what was delivered and what was taken back", () => {
    const recording = recorded([
      [1, "steer"],
      [2, "followUp"],
      [3, "dequeue"],
    ]);
    expect(facts(recording).map(({ after: _, ...fact }) => fact)).toEqual([
      queued([1]),
      queued([1], [2]),
      queued([1]),
      takenBack(2),
      queued([]),
      delivered(1),
    ]);
  });

  it("finds the law kept in random runs", () => {
    const script = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(...ACTIONS)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(script, (actions) => {
        checkRun(recorded(actions));
      }),
      { numRuns: 100 },
    );
  });

  it("gives the agent its own methods back", () => {
    const { streamFn, model } = fakeModel([]);
    const agent = new Agent({ streamFn, initialState: { model } });
    const recorder = recordRun(agent);
    expect(Object.hasOwn(agent, "steer")).toBe(true);
    recorder.stop();
    expect(["steer", "followUp", "dequeue", "reset"].filter((name) => Object.hasOwn(agent, name))).toEqual(
      [],
    );
  });
});

/** Whose queues say what a test wants. */
function brokenAgent() {
  const state$ = new BehaviorSubject({ isStreaming: true, pendingToolCalls: new Set<string>() });
  return {
    state$: state$ as never,
    queued: { steering: [], followUp: [] } as AgentQueues,
    queue(...steering: AgentMessage[]) {
      this.queued = { steering, followUp: [] };
      state$.next(state$.value);
    },
    end(pending: string[] = []) {
      state$.next({ isStreaming: false, pendingToolCalls: new Set(pending) });
    },
  };
}

describe("verifyRun({ agent })", () => {
  /** What it says when a test has acted on the agent. */
  function violation(
    act: (agent: ReturnType<typeof brokenAgent>, deliver: (message: AgentMessage) => void) => void,
  ) {
    const agent = brokenAgent();
    const events$ = new Subject<AgentEvent>();
    const errors: string[] = [];
    events$.pipe(verifyRun({ agent })).subscribe({ error: (error: Error) => errors.push(error.message) });
    events$.next({ type: "agent_start" });
    events$.next({ type: "turn_start" });
    act(agent, (message) => {
      events$.next({ type: "message_start", message });
      events$.next({ type: "message_end", message });
    });
    return errors;
  }

  it("says that a message was delivered and still waits", () => {
    const errors = violation((agent, deliver) => {
      const message = user("faster");
      agent.queue(message);
      deliver(message);
    });
    expect(errors).toEqual(["I6: queued message 1 was delivered and still waits"]);
  });

  it("says that a message is lost when the agent has come to rest", () => {
    const errors = violation((agent) => {
      agent.queue(user("faster"));
      agent.queue();
      agent.end();
    });
    expect(errors).toEqual(["I6: queued message 1 is neither delivered nor in its queue"]);
  });

  it("says that calls pend at rest", () => {
    expect(violation((agent) => agent.end(["c1"]))).toEqual([
      "I9: 1 tool calls pend while the agent is at rest",
    ]);
  });

  it("tells two messages with the same words apart, and lets one be queued again", () => {
    agentTest(({ agent, model, at, expectRequests }) => {
      model(marbles("5ms (a|)"), marbles("5ms (a|)"), marbles("5ms (a|)"), marbles("5ms (a|)"));
      const again = user("again");
      at(0, () => agent.prompt$("Hi"));
      at(1, () => agent.followUp(user("again")));
      at(2, () => agent.followUp(again));
      at(12, () => agent.followUp(again));
      expectRequests({ at: 0 }, { at: 5 }, { at: 10 }, { at: 15 });
    });
  });
});
