import { describe, expect, it } from "@jest/globals";
import { map, of, throwError, timer } from "rxjs";
import type { ReactiveAgentOptions } from "pi-agent-rx";
import { answer, call, calls, transcript } from "./support/messages";
import { shown } from "./support/provider";
import { only, setUp, type SetUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const boom = () => {
  throw new Error("boom");
};

/** The results of a batch of a and b. */
function results(options: SetUp): string[] {
  let told: string[] = [];
  virtually(({ flush }) => {
    const { agent } = setUp({ responses: [calls("a", "b")], tools: [tool((id) => result(id))], ...options });
    agent.prompt$("hello").subscribe();
    flush();
    expect(agent.state.errorMessage).toBeUndefined();
    told = transcript(agent.state.messages).slice(2, 4);
  })();
  return told;
}

const forA =
  <C extends { toolCall: { id: string } }, T>(hook: (context: C) => T) =>
  (context: C) =>
    context.toolCall.id === "a" ? hook(context) : undefined;

describe("a hook that throws", () => {
  it.each<[string, ReactiveAgentOptions["beforeToolCall"]]>([
    ["throws", forA(boom)],
    ["rejects by an observable", forA(() => throwError(() => new Error("boom")))],
  ])("beforeToolCall %s: an error result for its own call only", (_how, beforeToolCall) => {
    expect(results({ beforeToolCall })).toEqual(["result a error: boom", "result b: b"]);
  });

  it("afterToolCall: an error result for its own call only", () => {
    expect(results({ afterToolCall: forA(boom) })).toEqual(["result a error: boom", "result b: b"]);
  });

  it("beforeToolCall rejecting, afterToolCall rejecting: the batch goes on", async () => {
    const { agent, requests } = setUp({
      responses: [calls("a", "b", "c")],
      tools: [tool((id) => result(id))],
      beforeToolCall: async ({ toolCall }) => (toolCall.id === "a" ? boom() : undefined),
      afterToolCall: async ({ toolCall }) => (toolCall.id === "b" ? boom() : undefined),
    });
    await agent.prompt("hello");
    expect(shown(requests[1]).slice(2)).toEqual([
      "result a error: boom",
      "result b error: boom",
      "result c: c",
    ]);
  });
});

describe("beforeToolCall", () => {
  it("blocks a call with its reason", () => {
    const beforeToolCall = forA(() => ({ block: true, reason: "not today" }));
    expect(results({ beforeToolCall })).toEqual(["result a error: not today", "result b: b"]);
  });

  it("blocks a call without a reason too", () => {
    expect(results({ beforeToolCall: forA(() => ({ block: true })) })[0]).toBe(
      "result a error: Tool execution was blocked",
    );
  });

  it("lets a call run that it does not block", () => {
    expect(results({ beforeToolCall: () => ({ block: false, reason: "ignored" }) })).toEqual([
      "result a: a",
      "result b: b",
    ]);
  });

  it(
    "changes arguments in place: the tool gets them as changed, not validated again; the transcript keeps its call",
    virtually(({ flush }) => {
      const seen: unknown[] = [];
      const typed = tool((_id, args) => (seen.push(args), result("x")), {
        parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      });
      const { agent, events, requests } = setUp({
        responses: [answer([call("a", "work", { n: 1, deep: { x: 1 } })])],
        tools: [typed],
        beforeToolCall: ({ args }) => {
          const given = args as { n: unknown; deep: { x: number } };
          given.n = "not a number";
          given.deep.x = 2;
        },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(seen).toEqual([{ n: "not a number", deep: { x: 2 } }]);
      const told = requests[1]!.messages.find(({ role }) => role === "assistant");
      expect(told).toMatchObject({ content: [{ arguments: { n: 1, deep: { x: 1 } } }] });
      expect(only(events, "tool_execution_start")[0]!.args).toEqual({ n: 1, deep: { x: 1 } });
    }),
  );

  it("is given the call, validated arguments, the message, the context and the signal", () => {
    const seen: unknown[] = [];
    results({
      beforeToolCall: ({ toolCall, args, assistantMessage, context }, signal) => {
        seen.push([
          toolCall.id,
          args,
          assistantMessage.stopReason,
          context.messages.at(-1)!.role,
          signal?.aborted,
        ]);
      },
    });
    expect(seen).toEqual([
      ["a", {}, "toolUse", "assistant", false],
      ["b", {}, "toolUse", "assistant", false],
    ]);
  });
});

describe("afterToolCall", () => {
  it("replaces the fields that it gives, and no others", () => {
    const { content } = result("replaced");
    expect(results({ afterToolCall: forA(() => ({ content })) })).toEqual([
      "result a: replaced",
      "result b: b",
    ]);
    expect(results({ afterToolCall: forA(() => ({ isError: true })) })[0]).toBe("result a error: a");
  });

  it("may mend an error", () => {
    const tools = [tool(boom)];
    const afterToolCall: ReactiveAgentOptions["afterToolCall"] = ({ isError }) => ({
      isError: !isError,
      content: result("mended").content,
    });
    expect(results({ tools, afterToolCall })).toEqual(["result a: mended", "result b: mended"]);
  });

  it("drops structured content that no longer matches replaced content", async () => {
    const { agent, events } = setUp({
      responses: [calls("a", "b")],
      tools: [tool((id) => result(id, { structuredContent: { id } }))],
      afterToolCall: ({ toolCall }) => (toolCall.id === "a" ? { content: [] } : { details: 1 }),
    });
    await agent.prompt("hello");
    const [a, b] = only(events, "tool_execution_end").map((end) => end.result as object);
    expect(a).not.toHaveProperty("structuredContent");
    expect(b).toMatchObject({ structuredContent: { id: "b" }, details: 1 });
  });

  it("is given the result, and is not called for calls that did not run", () => {
    const seen: unknown[] = [];
    results({
      beforeToolCall: forA(() => ({ block: true })),
      afterToolCall: ({ toolCall, result: { content }, isError }) =>
        void seen.push([toolCall.id, content, isError]),
    });
    expect(seen).toEqual([["b", [{ type: "text", text: "b" }], false]]);
  });

  it(
    "is waited for before the call's end is told",
    virtually(({ flush, now }) => {
      const ends: number[] = [];
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => of(result("a")))],
        afterToolCall: () => timer(12).pipe(map(() => undefined)),
      });
      agent.subscribe(({ type }) => void (type === "tool_execution_end" && ends.push(now())));
      agent.prompt$("hello").subscribe();
      flush();
      expect(ends).toEqual([12]);
    }),
  );
});

describe("two calls with one id", () => {
  it(
    "in one message are two calls with two results; the id is pending until the last has ended",
    virtually(({ flush }) => {
      const pending: string[] = [];
      let ran = 0;
      const { agent, requests } = setUp({
        responses: [answer([call("twin"), call("twin")])],
        tools: [tool(() => timer(++ran * 10).pipe(map(() => result(`run ${ran}`))))],
      });
      agent.subscribe(({ type }) => {
        if (type === "tool_execution_start" || type === "tool_execution_end")
          pending.push([...agent.state.pendingToolCalls].join());
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toBe(2);
      expect(shown(requests[1]).slice(2)).toEqual(["result twin: run 2", "result twin: run 2"]);
      expect(pending).toEqual(["twin", "twin", "twin", ""]);
    }),
  );

  it(
    "in two turns are two calls",
    virtually(({ flush }) => {
      let ran = 0;
      const { agent, requests } = setUp({
        responses: [calls("same"), calls("same")],
        tools: [tool(() => result(`run ${++ran}`))],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(shown(requests[2]).filter((line) => line.startsWith("result"))).toEqual([
        "result same: run 1",
        "result same: run 2",
      ]);
    }),
  );
});
