import { describe, expect, it, jest } from "@jest/globals";
import { ignoreElements, of, tap, timer, type Observable } from "rxjs";
import type { AgentToolCallOutcome, AnyAgentTool, AnyToolResult, ToolStageDeps } from "pi-agent-rx";
import { steps, type Steps } from "../../../src/internal/steps";
import { runCall } from "../../../src/stages/tools/runCall";
import { output } from "../../support/fixtures";
import { resultOf } from "../../support/sequences";
import { callOf, toolDeps } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const values = { a: output("a"), b: output("b") };
const textOf = ({ content: [block] }: { content: unknown[] }) => (block as { text: string }).text;

/** Updates by their text, each told after `ms`; then the outcome, as "= text". */
function run(
  execute: AnyAgentTool["execute"],
  deps: ToolStageDeps = toolDeps([]),
  ms = 0,
): Observable<string> {
  return steps<string>(function* (emit) {
    const tell = (update: AnyToolResult) => {
      if (!ms) return void emit(textOf(update));
      return timer(ms).pipe(
        tap(() => emit(textOf(update))),
        ignoreElements(),
      );
    };
    const { isError, result } = yield* runCall(callOf(execute), deps, tell) as Steps<
      string,
      AgentToolCallOutcome
    >;
    emit(`${isError ? "!" : "="} ${textOf(result)}`);
  });
}

describe("runCall", () => {
  it("tells the updates, then the outcome", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(run(() => cold("a-b-|", values))).toBe("a-b-(o|)", { a: "a", b: "b", o: "= b" });
    });
  });

  it("comes to the outcome synchronously when nothing is waited for", () => {
    const seen: unknown[] = [];
    resultOf(() =>
      runCall(
        callOf(() => of(values.a, values.b)),
        toolDeps([]),
        () => undefined,
      ),
    ).subscribe({
      next: ({ result }) => seen.push(result),
      complete: () => seen.push("end"),
    });
    expect(seen).toEqual([values.b, "end"]);
  });

  it("ends when the last update was told", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [tool$, after$] = [cold("a|", values), cold<undefined>("-|")];
      const deps = toolDeps([], { afterToolCall: () => after$ });
      expectObservable(run(() => tool$, deps, 4)).toBe("----a(o|)", { a: "a", o: "= a" });
      expectSubscriptions(tool$.subscriptions).toBe("^!");
      expectSubscriptions(after$.subscriptions).toBe("----^!");
    });
  });

  it("asks afterToolCall once, about failures too", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const afterToolCall = jest.fn((_call: { isError: boolean }) => undefined);
      const tool$ = cold("-#", values, new Error("no"));
      expectObservable(run(() => tool$, toolDeps([], { afterToolCall }))).toBe("-(o|)", { o: "! no" });
      flush();
      expect(afterToolCall.mock.calls.map(([call]) => call.isError)).toEqual([true]);
    });
  });

  it("leaves tool and hook when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [tool$, after$] = [cold("a-----|", values), cold<undefined>("-----|")];
      expectObservable(
        run(() => tool$),
        "^--!",
      ).toBe("a---", { a: "a" });
      expectSubscriptions(tool$.subscriptions).toBe("^--!");
      const deps = toolDeps([], { afterToolCall: () => after$ });
      expectObservable(
        run(() => values.a, deps),
        "^--!",
      ).toBe("----");
      expectSubscriptions(after$.subscriptions).toBe("^--!");
    });
  });

  it("gives its outcome after an abort", () => {
    virtually(({ cold, expectObservable }) => {
      const deps = toolDeps([]);
      timer(1).subscribe(() => deps.control.abort());
      expectObservable(run(() => cold("a---------|", values), deps)).toBe("a-----(o|)", {
        a: "a",
        o: "! Operation aborted",
      });
    });
  });
});
