import { describe, expect, it } from "@jest/globals";
import { agentTest, call, marbles, messageLine, say, toolMarbles } from "pi-agent-rx/testing";
import { timer } from "rxjs";
import { output, tool as plainTool, user } from "../support/fixtures";

/** The message that a test fails with. */
function failure(...args: Parameters<typeof agentTest>): string {
  try {
    agentTest(...args);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("the test did not fail");
}

describe("agentTest", () => {
  it("runs a whole agent in virtual time", () => {
    agentTest(({ agent, model, tool, at, expectEvents, expectState, expectRequests }) => {
      model(
        marbles("10ms (a|)", { a: call("read", { path: "a" }) }),
        marbles("10ms (b|)", { b: say("Hello.") }),
      );
      const read = tool("read", "20ms (r|)", { r: "hello" });
      at(0, () => agent.prompt$("Read it"));
      expectEvents("(ATMm) 4ms (MuuuumX) 11ms (xMmtT) 3ms (Muuumta)");
      expectState(25, { isStreaming: true, pendingToolCalls: new Set(["call_1"]) });
      expectState(40, { isStreaming: false, pendingToolCalls: new Set() });
      expectRequests(["user: Read it"], {
        at: 30,
        model: "fake-model",
        messages: ["user: Read it", 'assistant: read({"path":"a"})', "toolResult: hello"],
      });
      expectState(40, ({ messages }) => expect(messageLine(messages.at(-1)!)).toBe("assistant: Hello."));
      at(40, () => expect(read.calls).toEqual([{ toolCallId: "call_1", params: { path: "a" }, at: 10 }]));
    });
  });

  it("shows rows that differ one above the other, the first difference pointed at", () => {
    const message = failure(({ agent, model, at, expectEvents }) => {
      model(marbles("10ms (a|)"));
      at(0, () => agent.prompt$("Hi"));
      expectEvents("(ATMm) 4ms (Muumta)");
    });
    expect(message.split("\n")).toEqual([
      "agentTest: events differ at frame 10: expected m, got u",
      "frame     0     10",
      "expected  ATMm  Muumta",
      "actual    ATMm  Muuumta",
      "                   ^",
    ]);
  });

  it("says when nothing is where something is expected, and that the run had not ended", () => {
    const message = failure(({ agent, model, at, expectEvents }) => {
      model(marbles("--a"));
      at(0, () => agent.prompt$("Hi"));
      expectEvents("(ATMm) 14ms a");
    });
    expect(message).toContain("events differ at frame 2: expected nothing more, got M");
    expect(message).toMatch(/The run had not ended when all virtual time had passed\.$/);
  });

  it("holds the barrier", () => {
    agentTest(({ agent, model, at, hold, expectEvents }) => {
      model("Hi");
      hold({ T: 10, t: 10 });
      at(0, () => agent.prompt$("Hello"));
      expectEvents("A 9ms (TMmMuuum) (ta)");
    });
  });

  it("steers and aborts at frames", () => {
    agentTest(({ agent, model, tool, at, expectEvents, expectRequests, expectState }) => {
      model(marbles("10ms (a|)", { a: call("work") }), marbles("20ms a"));
      tool("work", "20ms p 19ms (r|)", { p: "half", r: "done" });
      at(0, () => agent.prompt$("Go"));
      at(35, () => agent.steer(user("faster")));
      at(100, () => agent.abort("enough"));
      expectRequests(["user: Go"], {
        messages: ["user: Go", "assistant: work({})", "toolResult: done", "user: faster"],
      });
      expectState(35, { queued: { steering: [{ content: "faster" }] } });
      expectState(100, { isStreaming: false });
      expectEvents("(ATMm) 4ms (MuuuumX) 11ms p 19ms (xMmtTMm) 11ms (Muuu) 24ms (mta)");
    });
  });

  it("takes options of the agent and of the model", () => {
    agentTest(
      ({ agent, model, at, expectState }) => {
        model("a b", "c");
        at(0, () => agent.prompt$("Hi"));
        expectState(10, { systemPrompt: "Be brief.", isStreaming: true });
        expectState(20, { isStreaming: false });
      },
      { agent: { initialState: { systemPrompt: "Be brief." } }, model: { pace: 10 } },
    );
  });

  it("lets time pass for checks in between", () => {
    agentTest(({ agent, model, tool, at, flush }) => {
      model(call("work"), "done");
      const work = tool("work");
      at(0, () => agent.prompt$("Go"));
      flush();
      expect(work.calls).toHaveLength(1);
      expect(model.requests).toHaveLength(2);
      expect(model.left).toBe(0);
      expect(() => at(-1, () => {})).toThrow("at(-1): virtual time is at frame");
    });
  });

  it.each<[string, Parameters<typeof agentTest>[0]]>([
    [
      'tool "read" returned a promise; in virtual time return a value or an observable',
      ({ agent, model, at }) => {
        model(call("read"), "done");
        agent.state.tools = [plainTool("read", async () => output("x"))] as never;
        at(0, () => agent.prompt$("Go"));
      },
    ],
    [
      'tool "read" returned an async iterable; in virtual time return a value or an observable',
      ({ agent, model, at }) => {
        model(call("read"), "done");
        agent.state.tools = [plainTool("read", async function* () {} as never)] as never;
        at(0, () => agent.prompt$("Go"));
      },
    ],
    [
      'hook "transformContext" returned a promise; in virtual time return a value or an observable',
      ({ agent, model, at }) => {
        model("done");
        agent.transformContext = async (messages) => messages;
        at(0, () => agent.prompt$("Go"));
      },
    ],
    [
      "listener returned a promise; in virtual time return a value or an observable",
      ({ agent, model, at }) => {
        model("done");
        agent.subscribe(async () => {});
        at(0, () => agent.prompt$("Go"));
      },
    ],
    [
      "at(5) returned a promise; in virtual time return a value or an observable",
      ({ agent, model, at }) => {
        model("done");
        at(5, () => agent.prompt("Go"));
      },
    ],
    [
      "streamFn returned a promise; in virtual time return a value or an observable",
      ({ agent, at }) => {
        agent.streamFunction = () => Promise.reject(new Error("no"));
        at(0, () => agent.prompt$("Go"));
      },
    ],
  ])("says: %s", (message, test) => {
    expect(failure(test)).toBe(message);
  });

  it("lets hooks and listeners return observables", () => {
    agentTest(({ agent, model, at, expectState }) => {
      model("done");
      agent.finishTurn = () => timer(5) as never;
      agent.subscribe(() => timer(1));
      at(0, () => agent.prompt$("Go"));
      expectState(100, { isStreaming: false, errorMessage: undefined });
    });
  });

  it.each<[string, Parameters<typeof agentTest>[0]]>([
    [
      'agentTest: state at frame 5.messages[0].content\n  expected  "Ho"\n  actual    [{"type":"text","text":"Hi"}]',
      ({ agent, model, at, expectState }) => {
        model("a");
        at(0, () => agent.prompt$("Hi"));
        expectState(5, { messages: [{ content: "Ho" }, { role: "assistant" }] } as never);
      },
    ],
    [
      'agentTest: expected 2 requests, got 1: [["user: Hi"]]',
      ({ agent, model, at, expectRequests }) => {
        model("a");
        at(0, () => agent.prompt$("Hi"));
        expectRequests([], []);
      },
    ],
    [
      'agentTest: requests[0].messages[0]\n  expected  "user: Ho"\n  actual    "user: Hi"',
      ({ agent, model, at, expectRequests }) => {
        model("a");
        at(0, () => agent.prompt$("Hi"));
        expectRequests(["user: Ho"]);
      },
    ],
    [
      "own",
      ({ at }) =>
        at(3, () => {
          throw new Error("own");
        }),
    ],
    ["agentTest: the test returned something; it runs synchronously and returns nothing", async () => {}],
    [
      "I2: turn_start outside a run",
      ({ agent }) =>
        (agent.events$ as never as { source: { next(e: object): void } }).source.next({ type: "turn_start" }),
    ],
  ])("fails with %j", (message, test) => {
    expect(failure(test)).toBe(message);
  });

  it("names what is no test", () => {
    expect(() => agentTest("hello" as never)).toThrow('agentTest: expected a function, got "hello"');
  });
});

describe("marbles", () => {
  it("says letters at their frames, then ends", () => {
    expect(marbles("-a(b|)", { a: say("one") })).toEqual([
      { part: "pause", ms: 1 },
      { part: "text", text: "one", deltas: ["one"] },
      { part: "pause", ms: 1 },
      { part: "text", text: "b", deltas: ["b"] },
      { part: "pause", ms: 0 },
    ]);
  });

  it("fails with #, and stalls without an end", () => {
    expect(marbles("10ms #", {}, "broken")).toEqual([
      { part: "pause", ms: 10 },
      { part: "fail", message: "broken" },
    ]);
    expect(marbles("")).toEqual([{ part: "stall" }]);
  });
});

describe("toolMarbles", () => {
  it("updates with all letters but the last, which is the result at the end", () => {
    const result = output("r");
    expect(toolMarbles("-a-r-|", { a: "half", r: result })).toEqual({
      updates: [{ at: 1, text: "half" }],
      at: 5,
      text: undefined,
      result,
    });
  });

  it("fails with #, and stalls without an end", () => {
    expect(toolMarbles("-a-#")).toEqual({ updates: [{ at: 1, text: "a" }], at: 3, fail: "The tool failed" });
    expect(toolMarbles("--")).toEqual({ updates: [], stall: true });
  });
});
