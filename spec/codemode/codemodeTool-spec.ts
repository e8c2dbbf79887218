import type { ToolResultMessage } from "@earendil-works/pi-ai";
import { InlineCodemodeSandbox, loadQuickJSWasm } from "@earendil-works/pi-codemode";
import { describe, expect, it } from "@jest/globals";
import { num, obj, str } from "@earendil-works/pi-schema";
import { Agent, type AgentEvent, type AnyAgentTool, type ReactiveAgentOptions } from "pi-agent-rx";
import { codemodeTool, type CodemodeToolOptions } from "pi-agent-rx/codemode";
import { call, fakeModel } from "pi-agent-rx/testing";
import { filter, firstValueFrom, ReplaySubject, Subject, timer } from "rxjs";
import { model, output, tool } from "../support/fixtures";

const add = tool("add", (_id, { a, b }: { a: number; b: number }) => output(String(a + b)), {
  parameters: obj({ a: num(), b: num() }),
});

/** Lets an agent run these scripts, one a turn; gives the results. */
async function runScripts(
  codes: string[],
  tools: AnyAgentTool[],
  options: Partial<CodemodeToolOptions> = {},
  agentOptions: Partial<ReactiveAgentOptions> = {},
  watch = (_event: AgentEvent) => {},
) {
  const fake = fakeModel([...codes.map((code) => [call("codemode", { code }, { id: "script" })]), "Done."]);
  const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model }, ...agentOptions });
  agent.state.tools = [...tools, codemodeTool({ agent, ...options })];
  const events: AgentEvent[] = [];
  agent.events$.subscribe((event) => {
    events.push(event);
    watch(event);
  });
  await agent.prompt("Go");
  const results = agent.state.messages.filter((message) => message.role === "toolResult");
  return { agent, events, results, result: results[0]!, fake };
}

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const textsOf = ({ content }: ToolResultMessage) =>
  content.map((block) => (block.type === "text" ? block.text : block.type));

describe("codemodeTool", () => {
  it("runs a script that calls the agent's tools, and tells the model its output and what it returns", async () => {
    const code = `
      const sums = await Promise.all([1, 2, 3].map((n) => tools.add({ a: n, b: 10 })));
      text("sums: " + sums.join());
      console.log("quiet");
      return { count: sums.length };
    `;
    const { result } = await runScripts([code], [add]);
    expect(textsOf(result)).toEqual(["sums: 11,12,13", "quiet", '{"count":3}']);
    expect(result.isError).toBe(false);
  });

  it("declares the tools that the agent has when it is asked, and not itself", () => {
    const agent = new Agent({ streamFn: fakeModel([]).streamFn, initialState: { model } });
    const script = codemodeTool({ agent, filter: ({ name }) => name !== "secret" });
    agent.state.tools = [add, tool("secret"), script];
    expect(script.description).toMatch(
      /\/\*\* The tool add\. \*\/\s+add\(args: \{ a: number; b: number; \}\)/,
    );
    expect(script.description).not.toMatch(/secret|codemode\(/);
    agent.state.tools = [...agent.state.tools, tool("late")];
    expect(script.description).toContain("late(args");
  });

  it("records the nested calls on the result message and in its details", async () => {
    const code = `await tools.add({ a: 1, b: 2 }); await tools.add({ a: "x" }).catch(() => {});`;
    const { result, agent } = await runScripts([code], [add]);
    expect(result.nestedCalls).toEqual({
      complete: true,
      calls: [
        {
          id: "script/1",
          name: "add",
          arguments: { a: 1, b: 2 },
          status: "ok",
          durationMs: expect.any(Number),
        },
        {
          id: "script/2",
          name: "add",
          arguments: { a: "x" },
          status: "error",
          error: expect.stringContaining('Validation failed for tool "add"'),
        },
      ],
    });
    expect(result.details).toEqual({ nestedCalls: result.nestedCalls });
    expect(agent.state.messages.some((message) => message === result)).toBe(true);
  });

  it("shows the calls while the script runs", async () => {
    const { events } = await runScripts([`await tools.add({ a: 1, b: 2 });`], [add]);
    const updates = events.filter((event) => event.type === "tool_execution_update");
    expect(updates.map(({ partialResult }) => partialResult.details.nestedCalls.calls)).toEqual([
      [expect.objectContaining({ name: "add", status: "unfinished" })],
      [expect.objectContaining({ name: "add", status: "ok" })],
    ]);
    expect(updates.map(({ partialResult }) => partialResult.content)).toEqual([
      [{ type: "text", text: "0 of 1 calls have ended" }],
      [{ type: "text", text: "1 of 1 calls have ended" }],
    ]);
  });

  it("lets beforeToolCall and afterToolCall see each nested call, block it and change what it gives", async () => {
    const seen: unknown[] = [];
    const { result } = await runScripts(
      [`return [await tools.add({ a: 1, b: 2 }), await tools.add({ a: 9, b: 9 }).catch((e) => e.message)];`],
      [add],
      {},
      {
        beforeToolCall: ({ toolCall, args, assistantMessage }) => {
          seen.push([toolCall.name, toolCall.id, assistantMessage.role]);
          if (toolCall.name === "add" && (args as { a: number }).a === 9)
            return { block: true, reason: "nine is too much" };
        },
        afterToolCall: ({ toolCall, result: { content } }) =>
          toolCall.name === "add" ? { content: [...content, { type: "text", text: "(seen)" }] } : undefined,
      },
    );
    expect(textsOf(result)).toEqual(['["3\\n(seen)","nine is too much"]']);
    expect(seen).toEqual([
      ["codemode", "script", "assistant"],
      ["add", "script/1", "assistant"],
      ["add", "script/2", "assistant"],
    ]);
  });

  it("passes nested calls through operators.toolCall", async () => {
    const names: string[] = [];
    await runScripts(
      [`await tools.add({ a: 1, b: 2 });`],
      [add],
      {},
      {
        operators: {
          toolCall: ({ tool: { name } }) => {
            names.push(name);
            return (result$) => result$;
          },
        },
      },
    );
    expect(names).toEqual(["codemode", "add"]);
  });

  it("gives a script the data of a tool with an outputSchema, an image as a block, and text else", async () => {
    const data = tool("data", () => output("21 °C", { structuredContent: { degrees: 21 } }), {
      outputSchema: { type: "object" },
    });
    const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
    const picture = tool("picture", () => ({ content: [image], details: undefined }));
    const code = `image(await tools.picture({})); return [(await tools.data({})).degrees, await tools.plain({})];`;
    const { result } = await runScripts([code], [data, picture, tool("plain")]);
    expect(result.content).toEqual([image, { type: "text", text: '[21,"done"]' }]);
  });

  it("adds up what the nested calls used", async () => {
    const part = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
    const usage = { ...part, totalTokens: 10, cost: { ...part, total: 10 } };
    const paid = tool("paid", () => output("done", { usage }));
    const { result } = await runScripts([`await tools.paid({}); await tools.paid({});`], [paid]);
    const twice = { input: 2, output: 4, cacheRead: 6, cacheWrite: 8 };
    expect(result.usage).toEqual({ ...twice, totalTokens: 20, cost: { ...twice, total: 20 } });
  });

  it("keeps what scripts store, unless they fail", async () => {
    const store: Record<string, unknown> = { old: 1, gone: 1 };
    const codes = [
      `store("runs", load("old") + 1); store("gone", undefined);`,
      `store("runs", 99); throw new Error("no");`,
      `return load("runs");`,
    ];
    const { results } = await runScripts(codes, [], { store });
    expect(textsOf(results[2]!)).toEqual(["2"]);
    expect(store).toEqual({ old: 1, runs: 2 });
  });

  it.each([
    ["together", {}, {}, ["starts", "starts", "ends", "ends"]],
    [
      "one by one when the tool is sequential",
      { executionMode: "sequential" },
      {},
      ["starts", "ends", "starts", "ends"],
    ],
    [
      "one by one when the agent is",
      {},
      { toolExecution: "sequential" },
      ["starts", "ends", "starts", "ends"],
    ],
  ] as const)("runs calls %s", async (_how, fields, agentOptions, expected) => {
    const log: string[] = [];
    const called$ = new ReplaySubject<number>();
    // None ends before the script has made both calls.
    const slow = tool(
      "slow",
      async () => {
        log.push("starts");
        await firstValueFrom(called$.pipe(filter((count) => count === 2)));
        await firstValueFrom(timer(0));
        log.push("ends");
        return output("done");
      },
      fields,
    );
    const watch = (event: AgentEvent) => {
      if (event.type === "tool_execution_update")
        called$.next(event.partialResult.details.nestedCalls.calls.length);
    };
    const code = "await Promise.all([tools.slow({}), tools.slow({})]);";
    await runScripts([code], [slow], {}, agentOptions, watch);
    expect(log).toEqual(expected);
  });
});

describe("codemodeTool: a script that fails", () => {
  it("says where and why, after what it had said, and says it in details", async () => {
    const { result } = await runScripts([`text("so far");\nnope();`], [add]);
    expect(result.isError).toBe(true);
    expect(textsOf(result)).toEqual([
      "so far",
      expect.stringMatching(/^The script failed \(script\): ReferenceError: .*nope[^]*codemode\.js:2/),
    ]);
    expect(result.details).toMatchObject({ error: { kind: "script", name: "ReferenceError" } });
  });

  it("is told of a broken options line before anything runs", async () => {
    const { result } = await runScripts(
      [`// @options: {"speed": 9}\nawait tools.add({ a: 1, b: 1 });`],
      [add],
    );
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("speed") }] });
    expect(result.nestedCalls).toBeUndefined();
  });

  it("ends after its own timeout or the tool's", async () => {
    const never = tool(
      "never",
      (_id, _args, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("gone")));
        }),
    );
    const code = `await tools.never({});`;
    const codes = [code, `// @options: {"timeout_ms": 20}\n${code}`];
    const { results } = await runScripts(codes, [never], { timeoutMs: 10 });
    for (const result of results) expect(result.details).toMatchObject({ error: { kind: "timeout" } });
  });

  it("leaves calls that it did not wait for unfinished, and ends them", async () => {
    let ended = false;
    const never = tool(
      "never",
      (_id, _args, signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            ended = true;
            reject(new Error("gone"));
          });
        }),
    );
    const { result } = await runScripts(
      [`tools.never({}); return await tools.add({ a: 1, b: 1 });`],
      [add, never],
    );
    expect(ended).toBe(true);
    expect(result.nestedCalls).toMatchObject({
      complete: false,
      calls: [{ status: "unfinished" }, { status: "ok" }],
    });
  });

  it("is cut to the budget of the tool or its own, images apart", async () => {
    const code = `image({ type: "image", data: "${PNG}", mimeType: "image/png" }); text("a".repeat(600)); return "z".repeat(600);`;
    const codes = [code, `// @options: {"max_output_tokens": 1000}\n${code}`];
    const { results } = await runScripts(codes, [], { maxOutputTokens: 10 });
    expect(textsOf(results[0]!)).toEqual([
      `${"a".repeat(20)}\n… 1161 characters left out …\n${"z".repeat(20)}`,
      "image",
    ]);
    expect(textsOf(results[1]!)).toEqual(["image", "a".repeat(600), "z".repeat(600)]);
  });

  it("says that it said nothing", async () => {
    const { result } = await runScripts([`await tools.add({ a: 1, b: 2 });`], [add]);
    expect(textsOf(result)).toEqual(["The script ran and said nothing."]);
  });

  it("stops with its calls when the run is aborted", async () => {
    let stopped = false;
    const called$ = new Subject<void>();
    const never = tool("never", (_id, _args, signal) => {
      called$.next();
      return new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          stopped = true;
          reject(new Error("stopped"));
        });
      });
    });
    const fake = fakeModel([
      [call("codemode", { code: `await tools.never({});` }, { id: "script" })],
      "Done.",
    ]);
    const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
    agent.state.tools = [never, codemodeTool({ agent })];
    const called = firstValueFrom(called$);
    const run = agent.prompt("Go");
    await called;
    agent.abort();
    await run;
    expect(stopped).toBe(true);
    const result = agent.state.messages.find((message) => message.role === "toolResult");
    expect(result).toMatchObject({ isError: true, details: { error: { kind: "aborted" } } });
    expect(fake.requests).toHaveLength(1);
  });
});

describe("codemodeTool: what it is given", () => {
  const agent = new Agent({ streamFn: fakeModel([]).streamFn, initialState: { model } });

  it.each([
    [undefined, "codemodeTool: expected an object, got undefined"],
    [{}, "codemodeTool: agent: expected an object, got undefined"],
    [{ agent: {} }, "codemodeTool: agent.state: expected an object, got undefined"],
    [{ agent, filter: 1 }, "codemodeTool: filter: expected a function, got 1"],
    [{ agent, sandbox: {} }, "codemodeTool: sandbox: expected a function, got an object"],
    [{ agent, timeoutMs: -1 }, "codemodeTool: timeoutMs: expected a number of ms"],
    [{ agent, maxOutputTokens: 0 }, "codemodeTool: maxOutputTokens: expected an integer ≥ 1, got 0"],
  ])("is checked at once: %#", (options, message) => {
    expect(() => codemodeTool(options as never)).toThrow(message);
  });

  it("has to be in a run of the agent", async () => {
    const script = codemodeTool({ agent });
    await expect(script.execute("nowhere", { code: "return 1" })).rejects.toThrow(
      'codemodeTool: no message of the agent holds the call "nowhere"',
    );
  });

  it("may be another name and another sandbox", async () => {
    const wasm = await loadQuickJSWasm();
    const fake = fakeModel([[call("script", { code: `return await tools.add({ a: 1, b: 2 });` })], "Three."]);
    const own = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model } });
    const parameters = obj({ code: str() });
    const script = codemodeTool({
      agent: own,
      name: "script",
      sandbox: (options) => new InlineCodemodeSandbox({ ...options, wasm }),
    });
    own.state.tools = [add, script];
    await own.prompt("Go");
    expect(own.state.messages.find(({ role }) => role === "toolResult")).toMatchObject({
      toolName: "script",
      content: [{ text: "3" }],
    });
    expect(script.parameters).toMatchObject({ required: parameters.required });
  });
});
