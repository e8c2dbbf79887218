import { describe, expect, it } from "@jest/globals";
import { concat, concatMap, finalize, map, NEVER, of, tap, throwError, timer } from "rxjs";
import type { AgentEvent, AgentMessage } from "pi-agent-rx";
import {
  answer,
  call,
  calls,
  delta,
  failure,
  lines,
  started,
  terminal,
  textOf,
  transcript,
} from "./support/messages";
import { faultsOf } from "./support/laws";
import { endOf, only, setUp, type SetUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

/** An agent with a listener that fails when the event is told as this line, after `ms`. */
function failing(line: string, options: SetUp, ms = 0) {
  const harness = setUp({ abortGraceMs: 50, ...options });
  const others: AgentEvent[] = [];
  let failed = false;
  harness.agent.subscribe((event) => {
    if (failed || !lines([event]).includes(line)) return undefined;
    failed = true;
    if (ms === 0) throw new Error("boom");
    return concat(
      timer(ms),
      throwError(() => new Error("boom")),
    );
  });
  harness.agent.subscribe((event) => void others.push(event));
  return { ...harness, others };
}

describe("a listener that fails in a response", () => {
  it.each([0, 7])("ends the open message as the error, with its content so far (after %i ms)", (ms) =>
    virtually(({ flush }) => {
      let left = 0;
      const half$ = concat(of(started(), delta("half")), NEVER).pipe(finalize(() => left++));
      const { agent, events, others, requests } = failing("message_update", { responses: [half$] }, ms);
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(4)).toEqual([
        "message_start assistant",
        "message_update",
        "message_end assistant error",
        "turn_end",
        "agent_end failed",
      ]);
      expect(others).toEqual(events);
      expect(textOf(agent.state.messages.at(-1))).toBe("half");
      expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "error", errorMessage: "boom" });
      expect(requests[0]!.options.signal!.aborted).toBe(true);
      expect(left).toBe(1);
    })(),
  );

  it(
    "keeps a copy: what the provider writes later does not change the error message",
    virtually(({ flush }) => {
      const partial = answer("half");
      const { agent } = failing("message_start assistant", {
        responses: [concat(of({ type: "start" as const, partial }), NEVER)],
      });
      agent.prompt$("hello").subscribe();
      flush();
      (partial.content[0] as { text: string }).text = "changed";
      expect(textOf(agent.state.messages.at(-1))).toBe("half");
    }),
  );
});

describe("a listener that fails in a tool batch", () => {
  const tools = [
    tool(() => timer(5).pipe(map(() => result("quick is done"))), { name: "quick" }),
    tool(() => NEVER, { name: "never" }),
    tool(
      (_id, _args, signal) => (
        signal!.addEventListener("abort", () => {}),
        timer(20).pipe(map(() => result("in time")))
      ),
      {
        name: "slow",
      },
    ),
  ];
  const responses = [answer([call("never", "never"), call("quick", "quick"), call("slow", "slow")])];

  it(
    "settles the open calls as after an abort: signal, grace, one error result each",
    virtually(({ flush, now }) => {
      const { agent, events, others, requests } = failing("tool_execution_end quick", { responses, tools });
      let signal!: AbortSignal;
      agent.subscribe((_event, given) => void (signal = given));
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual([
        "user hello",
        "assistant toolUse",
        "result never error: Operation aborted",
        "result quick: quick is done",
        "result slow: in time",
        "assistant error",
      ]);
      expect(faultsOf(events)).toEqual([]);
      expect(others).toEqual(events);
      expect(signal.aborted).toBe(true);
      expect([now(), requests.length]).toEqual([55, 1]);
      expect(only(events, "agent_end")).toHaveLength(1);
      expect(agent.state.errorMessage).toBe("boom");
    }),
  );

  it.each(["parallel", "sequential"] as const)("starts no call and no hook after it (%s)", (toolExecution) =>
    virtually(({ flush }) => {
      const ran: string[] = [];
      const { agent, events } = failing("tool_execution_start a", {
        responses: [calls("a", "b")],
        tools: [tool((id) => (ran.push(id), result(id)))],
        beforeToolCall: ({ toolCall }) => void ran.push(`before ${toolCall.id}`),
        toolExecution,
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toEqual([]);
      expect(faultsOf(events)).toEqual([]);
      expect(transcript(agent.state.messages).slice(2)).toEqual([
        "result a error: Operation aborted",
        "result b error: Operation aborted",
        "assistant error",
      ]);
    })(),
  );

  it(
    "on an update of a running tool leaves that tool its grace: it keeps its result",
    virtually(({ flush }) => {
      const { agent, events } = failing("tool_execution_update a", {
        responses: [calls("a", "b")],
        tools: [
          tool((id, _args, _signal, onUpdate) =>
            timer(5).pipe(
              tap(() => id === "a" && onUpdate!(result("half"))),
              concatMap(() => timer(10).pipe(map(() => result(`${id} is done`)))),
            ),
          ),
        ],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(faultsOf(events)).toEqual([]);
      expect(transcript(agent.state.messages).slice(2)).toEqual([
        "result a: a is done",
        "result b: b is done",
        "assistant error",
      ]);
      expect(agent.state.errorMessage).toBe("boom");
    }),
  );

  it(
    "that two listeners fail in is failed once, by the first; the text names what both said",
    virtually(({ flush }) => {
      const { agent, events } = failing("turn_start", {});
      let failed = false;
      agent.subscribe(({ type }) => {
        if (type !== "turn_start" || failed) return;
        failed = true;
        throw new Error("bang");
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(faultsOf(events)).toEqual([]);
      expect(agent.state.errorMessage).toMatch(/boom.*bang/);
    }),
  );
});

/** For every run of three specs: fails in its first run, of two. */
function failsOnce() {
  let nth = 0;
  return (messages: AgentMessage[]) =>
    nth++ % 2 === 0 ? throwError(() => new Error("overloaded")) : of(messages);
}

describe("a listener that fails while another failure is being told", () => {
  const sources: [string, SetUp][] = [
    ["the provider's error event", { responses: [of(terminal(failure("overloaded")))] }],
    ["streamFn's error", { responses: [throwError(() => new Error("overloaded"))] }],
    ["a hook's error", { transformContext: failsOnce() }],
  ];
  const rest = ["message_start assistant", "message_end assistant error", "turn_end"];

  it.each(sources.flatMap(([what, options]) => rest.map((line) => [what, line, options] as const)))(
    "%s, at %s: the rest is told, the run keeps its error, and prompt() rejects with the listener's",
    async (_what, line, options) => {
      const { agent, events, others } = failing(line, options);
      let seen = 0;
      agent.subscribe(({ type }) => void (seen += Number(type === "agent_end")));
      await expect(agent.prompt("hello")).rejects.toThrow("boom");
      expect(seen).toBe(1);
      expect(others).toEqual(events);
      expect(lines(events).slice(4)).toEqual([...rest, "agent_end failed"]);
      expect(agent.state.errorMessage).toBe("overloaded");
      await agent.prompt("again");
      expect(endOf(events).outcome).toBe("completed");
    },
  );

  it("a message of the prompt with stopReason error is no failure", async () => {
    const { agent, events } = failing("message_end assistant error", {});
    await agent.prompt([failure("from long ago"), { role: "user", content: "go on", timestamp: 0 }]);
    expect(endOf(events).outcome).toBe("failed");
    expect(agent.state.errorMessage).toBe("boom");
  });
});
