import { describe, expect, it, jest } from "@jest/globals";
import { Observable, of, retry, throwError, timer } from "rxjs";
import { runToolCall, type AnyAgentTool, type ReactiveToolCallOptions } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, call, context, output, tool, user } from "../support/fixtures";
import { nothingStray, settled } from "../support/nothingStray";

const toolCall = call("1", "echo", { n: 1 });
const assistantMessage = assistant([toolCall]);
const text = (value: string) => [{ type: "text", text: value }];

/** Runs the call on a tool that does `execute`. */
function ran(execute: AnyAgentTool["execute"], options: Partial<ReactiveToolCallOptions> = {}) {
  const tools = [tool("echo", execute)];
  return runToolCall(toolCall, { tools, assistantMessage, context: context(), ...options });
}

describe("runToolCall", () => {
  nothingStray();

  it("gives the outcome of the tool", async () => {
    const outcome = await ran(() => output("done"));
    expect(outcome).toEqual({
      toolCall,
      result: output("done"),
      isError: false,
      durationMs: expect.any(Number),
    });
  });

  it("takes its tools from the options, not from the context", async () => {
    const given = context([], [tool("echo")]);
    const outcome = await ran(() => output("done"), { tools: [], context: given });
    expect(outcome).toEqual({
      toolCall,
      isError: true,
      result: { content: text("Tool echo not found"), details: {} },
    });
  });

  it("validates and prepares the arguments", async () => {
    const parameters = { type: "object", properties: { n: { type: "string" } }, required: ["n", "m"] };
    const refused = await ran(() => output("done"), { tools: [tool("echo", undefined, { parameters })] });
    expect(refused).toMatchObject({ isError: true });
    const prepareArguments = () => ({ n: "one", m: 2 });
    const execute = jest.fn<AnyAgentTool["execute"]>(() => output("done"));
    await ran(execute, { tools: [tool("echo", execute, { parameters, prepareArguments })] });
    expect(execute.mock.calls[0]![1]).toEqual({ n: "one", m: 2 });
  });

  it("asks the hooks, with the message and the context of the options", async () => {
    const seen: unknown[] = [];
    const given = context([user("hi")]);
    const outcome = await ran(() => output("done"), {
      context: given,
      beforeToolCall: (before) => void seen.push(before.assistantMessage, before.context),
      afterToolCall: (after) => (seen.push(after.assistantMessage, after.context), { details: "changed" }),
    });
    expect(seen).toEqual([assistantMessage, given, assistantMessage, given]);
    expect(outcome.result.details).toBe("changed");
  });

  it("makes an error outcome of a blocked call", async () => {
    const execute = jest.fn(() => output("done"));
    const outcome = await ran(execute, { beforeToolCall: () => ({ block: true, reason: "no" }) });
    expect(outcome).toMatchObject({ isError: true, result: { content: text("no") } });
    expect(execute).not.toHaveBeenCalled();
  });

  it.each(failingHooks)("makes an error outcome when tool or hook %s", async (_, hook) => {
    const failed = { isError: true, result: { content: text(hookError.message) } };
    await expect(ran(hook)).resolves.toMatchObject(failed);
    await expect(ran(() => output("done"), { beforeToolCall: hook })).resolves.toMatchObject(failed);
    await expect(ran(() => output("done"), { afterToolCall: hook })).resolves.toMatchObject(failed);
  });

  it("tells updates in order, and awaits what onUpdate returns", async () => {
    const seen: string[] = [];
    const onUpdate = async ({ details }: { details: unknown }) => {
      await settled();
      seen.push(`update ${details}`);
    };
    const execute: AnyAgentTool["execute"] = (_id, _args, _signal, update) => {
      update!(output("", { details: 1 }));
      update!(output("", { details: 2 }));
      return output("done");
    };
    await ran(execute, { onUpdate });
    seen.push("outcome");
    expect(seen).toEqual(["update 1", "update 2", "outcome"]);
  });

  it("tells the values of a stream as updates", async () => {
    const onUpdate = jest.fn((_partial: unknown) => {});
    const outcome = await ran(() => of(output("a"), output("b")), { onUpdate });
    expect(onUpdate.mock.calls).toEqual([[output("a")], [output("b")]]);
    expect(outcome.result).toEqual(output("b"));
  });

  it("ignores updates after the end", async () => {
    const onUpdate = jest.fn((_partial: unknown) => {});
    let late = (_partial: ReturnType<typeof output>) => {};
    await ran((_id, _args, _signal, update) => ((late = update!), output("done")), { onUpdate });
    late(output("late"));
    expect(onUpdate).not.toHaveBeenCalled();
  });

  it("takes what onUpdate throws as the tool's error, as in pi; rejects when it rejects", async () => {
    const [[, throws], [, rejects]] = failingHooks as [(typeof failingHooks)[0], (typeof failingHooks)[0]];
    const thrown = { isError: true, result: { content: [{ text: hookError.message }] } };
    await expect(ran(() => of(output("a")), { onUpdate: throws })).resolves.toMatchObject(thrown);
    await expect(ran(() => of(output("a")), { onUpdate: rejects })).rejects.toBe(hookError);
  });

  it("applies operators.toolCall", async () => {
    let tries = 0;
    const flaky = () => (++tries < 3 ? throwError(() => new Error("flaky")) : of(output("done")));
    const operators: ReactiveToolCallOptions["operators"] = { toolCall: () => retry(5) };
    await expect(ran(flaky, { operators })).resolves.toMatchObject({ isError: false });
    expect(tries).toBe(3);
  });

  it.each<[string, Partial<ReactiveToolCallOptions>]>([
    ["tools: expected an array of tools", { tools: undefined }],
    ["tools[0].execute: expected a function", { tools: [{ ...tool(), execute: 1 as never }] }],
    ["beforeToolCall: expected a function", { beforeToolCall: 1 as never }],
    ["abortGraceMs: expected a number of ms", { abortGraceMs: -1 }],
    ["onUpdate: expected a function", { onUpdate: 1 as never }],
  ])("rejects bad options by name: %s", async (message, options) => {
    await expect(ran(() => output("done"), options)).rejects.toThrow(message);
  });

  it("rejects a call and options that are none", async () => {
    await expect(runToolCall(undefined as never, {} as never)).rejects.toThrow(
      "toolCall: expected an object",
    );
    await expect(runToolCall(toolCall, undefined as never)).rejects.toThrow("options: expected an object");
  });

  describe("under an abort", () => {
    const aborted = { isError: true, result: { content: text("Operation aborted") } };

    it("does not make the call when it came before, whatever else is wrong", async () => {
      const [execute, beforeToolCall] = [jest.fn(() => output("done")), jest.fn(() => undefined)];
      const signal = AbortSignal.abort();
      await expect(ran(execute, { signal, beforeToolCall })).resolves.toMatchObject(aborted);
      await expect(ran(execute, { signal, tools: [] })).resolves.toMatchObject(aborted);
      expect(execute).not.toHaveBeenCalled();
      expect(beforeToolCall).not.toHaveBeenCalled();
    });

    it("hands the abort on to the tool, and takes what it gives within the grace", async () => {
      const controller = new AbortController();
      const execute: AnyAgentTool["execute"] = (_id, _args, signal) =>
        new Promise((resolve) =>
          signal!.addEventListener("abort", () => resolve(output(`${signal!.reason}`))),
        );
      const outcome = ran(execute, { signal: controller.signal });
      controller.abort("enough");
      await expect(outcome).resolves.toMatchObject({ isError: false, result: output("enough") });
    });

    it("leaves a tool behind when abortGraceMs are over", async () => {
      const controller = new AbortController();
      let left = false;
      const stalled = new Observable<never>(() => () => (left = true));
      const outcome = ran(() => stalled, { signal: controller.signal, abortGraceMs: 1 });
      timer(1).subscribe(() => controller.abort());
      await expect(outcome).resolves.toMatchObject(aborted);
      expect(left).toBe(true);
    });

    it("leaves no listener on the signal", async () => {
      const { signal } = new AbortController();
      const add = jest.spyOn(signal, "addEventListener");
      const remove = jest.spyOn(signal, "removeEventListener");
      for (let n = 0; n < 20; n++) await ran(n % 2 ? failingHooks[1]![1] : () => output("done"), { signal });
      expect(add).toHaveBeenCalledTimes(20);
      expect(remove).toHaveBeenCalledTimes(20);
    });
  });
});
