import { describe, expect, it } from "@jest/globals";
import { EMPTY, of, throwError } from "rxjs";
import type { ToolResultMessage } from "@earendil-works/pi-ai";
import { answer, call, calls, inShort, lines, textOf, transcript } from "./support/messages";
import { shown } from "./support/provider";
import { faultsOf } from "./support/laws";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

/** The one result of a tool that does this. */
async function resultOf(execute: Parameters<typeof tool>[0]): Promise<ToolResultMessage> {
  const { agent, events, requests } = setUp({ responses: [calls("a")], tools: [tool(execute)] });
  await agent.prompt("hello");
  expect(faultsOf(events)).toEqual([]);
  expect(requests).toHaveLength(2);
  expect(lines(events).at(-1)).toBe("agent_end completed");
  const { toolResults } = only(events, "turn_end")[0]!;
  expect(toolResults).toHaveLength(1);
  return toolResults[0]!;
}

const throws = (error: unknown) => () => {
  throw error;
};

describe("whatever a tool does", () => {
  it.each<[string, () => unknown, string]>([
    ["throws an Error", throws(new Error("no disk")), "no disk"],
    ["throws a string", throws("no disk"), "no disk"],
    ["throws nothing", throws(undefined), "undefined"],
    ["rejects", () => Promise.reject(new Error("no disk")), "no disk"],
    ["rejects with nothing", () => Promise.reject(undefined), "undefined"],
    ["gives an observable that errors", () => throwError(() => new Error("no disk")), "no disk"],
  ])("it becomes one result: %s", async (_what, execute, expected) => {
    expect(inShort(await resultOf(execute))).toBe(`result a error: ${expected}`);
  });

  it.each<[string, () => unknown]>([
    ["undefined", () => undefined],
    ["null", () => null],
    ["a string", () => "done"],
    ["a number", () => 7],
    ["a promise of undefined", async () => undefined],
    ["a promise of null", async () => null],
    ["an observable of undefined", () => of(undefined)],
    ["an empty observable", () => EMPTY],
    ["an empty async iterable", async function* () {}],
  ])("%s is an error result that says what was expected", async (_what, execute) => {
    const message = await resultOf(execute);
    expect(message.isError).toBe(true);
    expect(textOf(message)).toMatch(/^tool "work": (expected|completed without) a result/);
    expect(textOf(message)).not.toMatch(/Cannot read|is not a function/);
  });

  it("missing content counts as empty", async () => {
    const message = await resultOf(() => ({ details: "only these" }));
    expect(message).toMatchObject({ content: [], details: "only these", isError: false });
  });

  it("isError in the result makes it an error, its content and details kept", async () => {
    const message = await resultOf(() => result("exit code 1", { isError: true, details: { code: 1 } }));
    expect(message).toMatchObject({ isError: true, details: { code: 1 } });
    expect(textOf(message)).toBe("exit code 1");
  });

  it("usage and details reach the message", async () => {
    const usage = answer("").usage;
    expect(await resultOf(() => result("x", { usage, details: [1] }))).toMatchObject({ usage, details: [1] });
  });

  it("structured content stands in tool_execution_end", async () => {
    const { agent, events } = setUp({
      responses: [calls("a")],
      tools: [tool(() => result("x", { structuredContent: { n: 1 } }))],
    });
    await agent.prompt("hello");
    expect(only(events, "tool_execution_end")[0]!.result).toMatchObject({ structuredContent: { n: 1 } });
  });

  it("an unknown tool is an error result", async () => {
    const { agent } = setUp({ responses: [answer([call("a", "nope")])] });
    await agent.prompt("hello");
    expect(transcript(agent.state.messages)[2]).toBe("result a error: Tool nope not found");
  });

  it("invalid arguments are an error result, and the tool does not run", async () => {
    let ran = 0;
    const strict = tool(() => ran++, {
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    });
    const { agent } = setUp({ responses: [answer([call("a", "work", { n: {} })])], tools: [strict] });
    await agent.prompt("hello");
    expect(ran).toBe(0);
    expect(transcript(agent.state.messages)[2]).toMatch(/^result a error: .*work/s);
  });

  it("prepareArguments mends what the model sent, or makes an error result by throwing", async () => {
    const seen: unknown[] = [];
    const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
    const mended = tool((_id, args) => (seen.push(args), result("x")), {
      parameters,
      prepareArguments: (args) => ({ n: (args as { old: number }).old }),
    });
    const broken = tool(() => seen.push("ran"), {
      name: "broken",
      parameters,
      prepareArguments: throws(new Error("cannot mend")),
    });
    const { agent } = setUp({
      responses: [answer([call("a", "work", { old: 1 }), call("b", "broken")])],
      tools: [mended, broken],
    });
    await agent.prompt("hello");
    expect(seen).toEqual([{ n: 1 }]);
    expect(transcript(agent.state.messages).slice(2, 4)).toEqual([
      "result a: x",
      "result b error: cannot mend",
    ]);
  });
});

describe("terminate", () => {
  const stopping = (...ids: string[]) => tool((id) => result(id, { terminate: ids.includes(id) }));

  it(
    "stops the run when every result of the batch says so",
    virtually(({ flush }) => {
      const { agent, events, requests } = setUp({
        responses: [calls("a", "b")],
        tools: [stopping("a", "b")],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(1);
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );

  it(
    "does not stop it when one result says nothing of it",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ responses: [calls("a", "b")], tools: [stopping("a")] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(2);
    }),
  );

  it.each(["steer", "followUp"] as const)("still delivers what was queued by %s", (queue) =>
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ responses: [calls("a")], tools: [stopping("a")] });
      agent.subscribe(({ type }) => {
        if (type === "tool_execution_end") agent[queue]({ role: "user", content: "more", timestamp: 0 });
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(shown(requests[1]).slice(-2)).toEqual(["result a: a", "user more"]);
      expect(agent.hasQueuedMessages()).toBe(false);
    })(),
  );

  it(
    "may come from a blocked call or from afterToolCall",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        responses: [calls("a", "b")],
        tools: [tool()],
        beforeToolCall: ({ toolCall }) => ({ block: toolCall.id === "a", terminate: true }),
        afterToolCall: () => ({ terminate: true }),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(1);
    }),
  );
});
