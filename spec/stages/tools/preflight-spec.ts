import { describe, expect, it, jest } from "@jest/globals";
import { lastValueFrom, map, of, timer } from "rxjs";
import { runControl, type AnyAgentTool, type ReactiveToolCallHooks, type ToolStageDeps } from "pi-agent-rx";
import { preflight, type Preflight } from "../../../src/stages/tools/preflight";
import { failingHooks, hookError } from "../../support/failingHooks";
import { assistant, call, tool } from "../../support/fixtures";
import { resultOf } from "../../support/sequences";
import { toolDeps } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const add = (fields: Partial<AnyAgentTool> = {}) => tool("add", undefined, { parameters, ...fields });
const message = assistant([]);
const toolCall = call("1", "add", { n: 1 });

const flight$ = (deps: ToolStageDeps, made = toolCall) => resultOf(() => preflight(made, message, deps));

/** What becomes of a call, synchronously. */
function flight(deps: ToolStageDeps, made = toolCall): Preflight {
  let result: Preflight | undefined;
  flight$(deps, made).subscribe((value) => (result = value));
  return result!;
}

/** The text of the outcome of a call that is not allowed to run. */
const refusal = (given: Preflight) => "outcome" in given && given.outcome.result.content[0];
const text = (value: string) => ({ type: "text", text: value });
const hooked = (beforeToolCall: ReactiveToolCallHooks["beforeToolCall"]) =>
  toolDeps([add()], { beforeToolCall });

describe("preflight", () => {
  it("allows a call of a known tool with valid arguments", () => {
    const deps = toolDeps([add()]);
    expect(flight(deps)).toEqual({
      request: {
        toolCall,
        tool: deps.context.tools![0],
        args: { n: 1 },
        assistantMessage: message,
        context: deps.context,
        signal: deps.control.signal,
      },
    });
  });

  it("refuses an unknown tool", () => {
    expect(refusal(flight(toolDeps([add()]), call("1", "ghost")))).toEqual(text("Tool ghost not found"));
    expect(refusal(flight({ ...toolDeps([]), context: { messages: [] } }))).toEqual(
      text("Tool add not found"),
    );
  });

  it("takes the tools it is given before those of the context", () => {
    expect(flight(toolDeps([], { tools: [add()] }))).toHaveProperty("request");
    expect(refusal(flight(toolDeps([add()], { tools: [] })))).toEqual(text("Tool add not found"));
  });

  it("refuses arguments that do not fit, naming them", () => {
    const refused = flight(toolDeps([add()]), call("1", "add", { n: "many" }));
    expect(refusal(refused)).toMatchObject({ text: expect.stringContaining("n") });
    expect(refused).toHaveProperty("outcome.isError", true);
  });

  it("coerces arguments, and leaves the call of the transcript as it was", () => {
    const made = call("1", "add", { n: "2" });
    expect(flight(toolDeps([add()]), made)).toHaveProperty("request.args", { n: 2 });
    expect(made.arguments).toEqual({ n: "2" });
  });

  it("validates what prepareArguments gives, and refuses when it throws", () => {
    const mend = { prepareArguments: (args: unknown) => ({ n: (args as { count: number }).count }) };
    expect(flight(toolDeps([add(mend)]), call("1", "add", { count: 3 }))).toHaveProperty("request.args", {
      n: 3,
    });
    const broken = {
      prepareArguments() {
        throw new Error("beyond repair");
      },
    };
    expect(refusal(flight(toolDeps([add(broken)])))).toEqual(text("beyond repair"));
  });

  describe("beforeToolCall", () => {
    it("gets message, call, arguments, context and signal", () => {
      const hook = jest.fn(() => undefined);
      const deps = hooked(hook);
      flight(deps);
      const seen = { assistantMessage: message, toolCall, args: { n: 1 }, context: deps.context };
      expect(hook.mock.calls).toEqual([[seen, deps.control.signal]]);
    });

    it("is not asked about calls that cannot run", () => {
      const hook = jest.fn(() => undefined);
      flight(hooked(hook), call("1", "ghost"));
      flight(hooked(hook), call("1", "add", {}));
      expect(hook).not.toHaveBeenCalled();
    });

    it("can change the arguments in place, unvalidated, and not the transcript's call", () => {
      const deps = hooked(({ args }) => void ((args as { n: unknown }).n = "changed"));
      const made = call("1", "add", { n: 1 });
      expect(flight(deps, made)).toHaveProperty("request.args", { n: "changed" });
      expect(made.arguments).toEqual({ n: 1 });
    });

    it.each([[undefined], [{}], [{ block: false, reason: "no" }]])(
      "lets the call run with %p",
      (decision) => {
        expect(flight(hooked(() => decision))).toHaveProperty("request");
      },
    );

    it("blocks with its reason, or a usual one, and can terminate", () => {
      expect(refusal(flight(hooked(() => ({ block: true, reason: "not today" }))))).toEqual(
        text("not today"),
      );
      const blocked = flight(hooked(() => ({ block: true, terminate: true })));
      expect(refusal(blocked)).toEqual(text("Tool execution was blocked"));
      expect(blocked).toHaveProperty("outcome.result.terminate", true);
      expect(flight(hooked(() => ({ block: true })))).not.toHaveProperty("outcome.result.terminate");
    });

    it.each(failingHooks)("refuses the call when it %s", async (_, hook) => {
      expect(refusal(await lastValueFrom(flight$(hooked(hook))))).toEqual(text(hookError.message));
    });

    it("refuses the call when it gives several values", () => {
      const refused = flight(hooked(() => of({}, {})));
      expect(refusal(refused)).toEqual(text("beforeToolCall: expected one value, got 2"));
    });

    it("is waited for, and left when the stage is left", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const [slow$, left$] = [cold("---(u|)", { u: undefined }), cold("-----u|", { u: undefined })];
        const word = map((given: Preflight) => Object.keys(given)[0]);
        expectObservable(flight$(hooked(() => slow$)).pipe(word)).toBe("---(r|)", { r: "request" });
        expectObservable(flight$(hooked(() => left$)).pipe(word), "^--!").toBe("----");
        expectSubscriptions(left$.subscriptions).toBe("^--!");
      });
    });
  });

  describe("after an abort", () => {
    it("looks nothing up and calls nothing", () => {
      const [hook, prepareArguments] = [jest.fn(() => undefined), jest.fn((args: unknown) => args as never)];
      const deps = toolDeps([add({ prepareArguments })], { beforeToolCall: hook });
      deps.control.abort();
      expect(refusal(flight(deps))).toEqual(text("Operation aborted"));
      expect(hook).not.toHaveBeenCalled();
      expect(prepareArguments).not.toHaveBeenCalled();
    });

    it("refuses a call whose hook was under way, at its end or at the deadline", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const [slow$, stalled$] = [cold("---(u|)", { u: undefined }), cold<undefined>("-----------")];
        for (const [hook$, expected] of [
          [slow$, "---(a|)"],
          [stalled$, "------(a|)"],
        ] as const) {
          const deps = hooked(() => hook$);
          timer(1).subscribe(() => deps.control.abort());
          expectObservable(flight$(deps).pipe(map(refusal))).toBe(expected, { a: text("Operation aborted") });
        }
        expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      });
    });

    it.each(failingHooks)("tells the error of a hook that %s because of it", async (_, hook) => {
      const deps: ToolStageDeps = {
        ...hooked(() => (deps.control.abort(), hook())),
        control: runControl(),
      };
      expect(refusal(await lastValueFrom(flight$(deps)))).toEqual(text(hookError.message));
    });
  });
});
