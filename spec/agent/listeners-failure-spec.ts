import { describe, expect, it } from "@jest/globals";
import { throwError } from "rxjs";
import type { AgentEvent, AgentListener } from "pi-agent-rx";
import { calls, lines, transcript } from "./support/messages";
import { faultsOf } from "./support/laws";
import { strayErrors } from "./support/rejections";
import { endOf, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";

const boom = new Error("boom");
const ways: [string, () => ReturnType<AgentListener>][] = [
  [
    "throws",
    () => {
      throw boom;
    },
  ],
  ["rejects", () => Promise.reject(boom)],
  ["gives an observable that errors", () => throwError(() => boom)],
];

/** Every event of an undisturbed run: one turn with a tool, one with an answer. */
const undisturbed = [
  "agent_start",
  "turn_start",
  "message_start user",
  "message_end user hello",
  "message_start assistant",
  "message_update",
  "message_end assistant toolUse",
  "tool_execution_start a",
  "tool_execution_update a",
  "tool_execution_end a",
  "message_start result a",
  "message_end result a",
  "turn_end",
  "turn_start",
  "message_start assistant",
  "message_update",
  "message_end assistant stop",
  "turn_end",
  "agent_end completed",
];

/** That run, with a listener in the middle that fails at the nth event, and at others if `also` says so. */
async function failingAt(nth: number, fail: () => ReturnType<AgentListener>, also = (_at: number) => false) {
  const harness = setUp({
    responses: [calls("a")],
    tools: [tool((_id, _args, _signal, onUpdate) => (onUpdate!(result("half")), result("done")))],
  });
  const { agent, events, requests } = harness;
  let heard = 0;
  let signal: AbortSignal | undefined;
  const stop = agent.subscribe((_event, given) => {
    signal = given;
    const at = heard++;
    return at === nth || also(at) ? fail() : undefined;
  });
  const others: AgentEvent[] = [];
  agent.subscribe((event) => void others.push(event));
  const idle: boolean[] = [];
  const settled = agent.prompt("hello");
  const waited = agent.waitForIdle().then(() => idle.push(agent.state.isStreaming));
  const outcome = await settled.then(
    () => "resolved",
    (error: unknown) => error,
  );
  await waited;
  stop();
  expect(idle).toEqual([false]);
  return { agent, requests, events, others, outcome, signal: signal! };
}

/** A lawful failed run, told to all, and an agent that goes on. */
async function expectOneFailure({ agent, events, others, requests }: Awaited<ReturnType<typeof failingAt>>) {
  expect(others).toEqual(events);
  expect(faultsOf(events)).toEqual([]);
  expect(lines(events).slice(-3)).toEqual(["message_end assistant error", "turn_end", "agent_end failed"]);
  expect(endOf(events)).not.toHaveProperty("reason");
  expect(agent.state.errorMessage).toMatch("boom");
  expect([agent.state.pendingToolCalls.size, agent.state.streamingMessage]).toEqual([0, undefined]);
  const asked = requests.length;
  events.length = 0;
  await agent.prompt("again");
  expect(requests).toHaveLength(asked + (asked === 0 ? 2 : 1));
  expect(faultsOf(events)).toEqual([]);
  expect(lines(events).at(-1)).toBe("agent_end completed");
  expect(agent.state.errorMessage).toBeUndefined();
}

it("the undisturbed run has these events", async () => {
  const { events, outcome } = await failingAt(-1, () => undefined);
  expect(lines(events)).toEqual(undisturbed);
  expect(outcome).toBe("resolved");
});

describe.each(ways)("a listener that %s", (_how, fail) => {
  it.each(undisturbed.slice(0, -1).map((line, nth) => [line, nth] as const))(
    "at %s (event %i) fails the run once: all others see that event and all that follow",
    async (line, nth) => {
      const stray = await strayErrors(async () => {
        const run = await failingAt(nth, fail);
        expect(lines(run.events)[nth]).toBe(line);
        expect(run.outcome).toBe("resolved");
        expect(run.signal.aborted).toBe(true);
        await expectOneFailure(run);
      });
      expect(stray).toEqual([]);
    },
  );

  it("on agent_end adds no event: prompt() rejects with its error", async () => {
    const stray = await strayErrors(async () => {
      const run = await failingAt(undisturbed.length - 1, fail);
      expect(run.outcome).toBe(boom);
      expect(lines(run.events)).toEqual(undisturbed);
      expect(run.others).toEqual(run.events);
      expect(endOf(run.events).outcome).toBe("completed");
      expect(run.agent.state.errorMessage).toBeUndefined();
      await run.agent.prompt("again");
    });
    expect(stray).toEqual([]);
  });

  it("at every event fails the run once, and prompt() rejects after everyone has seen agent_end", async () => {
    const run = await failingAt(0, fail, () => true);
    expect(run.outcome).toBe(boom);
    await expectOneFailure(run);
  });

  it("while its own failure is being told: what is left is still told, and prompt() rejects", async () => {
    const run = await failingAt(1, fail, (at) => at === 3);
    expect(run.outcome).toBe(boom);
    await expectOneFailure(run);
  });
});

describe("calls when a listener has failed", () => {
  it("that were committed and had not started are settled, not run", async () => {
    const at = undisturbed.indexOf("message_end assistant toolUse");
    const { agent } = await failingAt(at, ways[0]![1]);
    expect(transcript(agent.state.messages)).toEqual([
      "user hello",
      "assistant toolUse",
      "result a error: Operation aborted",
      "assistant error",
    ]);
  });

  it("that had ended keep their result", async () => {
    const at = undisturbed.indexOf("tool_execution_end a");
    const { agent } = await failingAt(at, ways[0]![1]);
    expect(transcript(agent.state.messages)).toEqual([
      "user hello",
      "assistant toolUse",
      "result a: done",
      "assistant error",
    ]);
  });
});
