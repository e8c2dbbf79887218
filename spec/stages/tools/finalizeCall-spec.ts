import { describe, expect, it, jest } from "@jest/globals";
import { lastValueFrom, map, of, timer } from "rxjs";
import {
  runControl,
  type AfterToolCallResult,
  type AgentToolCallOutcome,
  type ReactiveToolCallHooks,
} from "pi-agent-rx";
import { finalizeCall } from "../../../src/stages/tools/finalizeCall";
import { failingHooks, hookError } from "../../support/failingHooks";
import { output } from "../../support/fixtures";
import { resultOf } from "../../support/sequences";
import { callOf, toolDeps } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const request = callOf(() => output("text"));
const result = output("text", { details: { n: 1 }, structuredContent: { n: 1 } });
const executed = { result, isError: false, durationMs: 3 };
const { toolCall } = request;
const outcome: AgentToolCallOutcome = { toolCall, result, isError: false, durationMs: 3 };

const final$ = (afterToolCall?: ReactiveToolCallHooks["afterToolCall"], control = runControl(5)) =>
  resultOf(() => finalizeCall(request, executed, toolDeps([], { afterToolCall, control })));

/** The outcome, synchronously. */
function final(afterToolCall?: ReactiveToolCallHooks["afterToolCall"]): AgentToolCallOutcome {
  let value: AgentToolCallOutcome | undefined;
  final$(afterToolCall).subscribe((given) => (value = given));
  return value!;
}
const replaced = (after: AfterToolCallResult) => final(() => after).result;

describe("finalizeCall", () => {
  it("gives the outcome as it is when there is no hook, or the hook gives nothing", () => {
    expect(final()).toEqual(outcome);
    expect(final(() => undefined)).toEqual(outcome);
  });

  it("gives the hook call, arguments, result, context and signal", () => {
    const hook = jest.fn(() => undefined);
    const control = runControl();
    final$(hook, control).subscribe();
    const { assistantMessage, args, context } = request;
    const seen = { assistantMessage, toolCall, args, result, isError: false, context };
    expect(hook.mock.calls).toEqual([[seen, control.signal]]);
  });

  it("replaces field by field, and leaves the tool's own result as it was", () => {
    expect(replaced({ details: "other" })).toEqual({ ...result, details: "other" });
    expect(replaced({ terminate: true })).toEqual({ ...result, terminate: true });
    expect(replaced({ usage: { totalTokens: 1 } as never })).toEqual({
      ...result,
      usage: { totalTokens: 1 },
    });
    expect(final(() => ({ isError: true }))).toEqual({ ...outcome, isError: true });
    expect(result).toEqual(output("text", { details: { n: 1 }, structuredContent: { n: 1 } }));
  });

  it("drops structured content that a replaced content may not match", () => {
    const { content } = output("other");
    expect(replaced({ content })).not.toHaveProperty("structuredContent");
    expect(replaced({ content, structuredContent: 2 })).toMatchObject({ content, structuredContent: 2 });
    expect(replaced({ structuredContent: 2 })).toMatchObject({ structuredContent: 2 });
  });

  it.each(failingHooks)("makes an error result when the hook %s", async (_, hook) => {
    const failed = await lastValueFrom(final$(hook, runControl()));
    expect(failed).toEqual({
      ...outcome,
      isError: true,
      result: { content: [{ type: "text", text: hookError.message }], details: {} },
    });
  });

  it("makes an error result when the hook gives several values", () => {
    expect(final(() => of({}, {})).result.content).toEqual([
      { type: "text", text: "afterToolCall: expected one value, got 2" },
    ]);
  });

  it("waits for the hook, and leaves it when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [slow$, left$] = [cold("---(a|)", { a: { isError: true } }), cold<undefined>("------|")];
      const failed = map(({ isError }: AgentToolCallOutcome) => isError);
      expectObservable(final$(() => slow$).pipe(failed)).toBe("---(f|)", { f: true });
      expectObservable(final$(() => left$).pipe(failed), "^--!").toBe("----");
      expectSubscriptions(left$.subscriptions).toBe("^--!");
    });
  });

  describe("after an abort", () => {
    it("asks about a tool that ended", () => {
      const hook = jest.fn(() => ({ details: "other" }));
      const control = runControl(5);
      control.abort();
      const details: unknown[] = [];
      final$(hook, control).subscribe((given) => details.push(given.result.details));
      expect(details).toEqual(["other"]);
    });

    it("does not ask about a tool that was left behind", () => {
      const hook = jest.fn(() => undefined);
      const control = runControl(0);
      control.abort();
      const left = { ...executed, abandoned: true };
      resultOf(() => finalizeCall(request, left, toolDeps([], { control, afterToolCall: hook }))).subscribe();
      expect(hook).not.toHaveBeenCalled();
    });

    it("leaves a hook at the deadline; the tool's result stands", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const stalled$ = cold<undefined>("----------");
        const control = runControl(5);
        timer(1).subscribe(() => control.abort());
        expectObservable(final$(() => stalled$, control)).toBe("------(o|)", { o: outcome });
        expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      });
    });
  });
});
