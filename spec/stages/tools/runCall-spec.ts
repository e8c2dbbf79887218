import { describe, expect, it, jest } from "@jest/globals";
import { concat, concatMap, ignoreElements, map, of, timer, type Observable } from "rxjs";
import type { AgentToolCallOutcome, AnyAgentTool, ToolStageDeps } from "pi-agent-rx";
import { runCall } from "../../../src/stages/tools/runCall";
import { output } from "../../support/fixtures";
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
  let outcome: AgentToolCallOutcome | undefined;
  const tell = (update$: Observable<(typeof values)["a"]>) =>
    update$.pipe(
      map(textOf),
      concatMap((text) => (ms ? concat(timer(ms).pipe(ignoreElements()), of(text)) : of(text))),
    );
  const running$ = runCall(callOf(execute), deps, tell as never, (value) => (outcome = value));
  return concat(
    running$ as Observable<string>,
    of(0).pipe(map(() => `${outcome!.isError ? "!" : "="} ${textOf(outcome!.result)}`)),
  );
}

describe("runCall", () => {
  it("tells the updates, then the outcome", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(run(() => cold("a-b-|", values))).toBe("a-b-(o|)", { a: "a", b: "b", o: "= b" });
    });
  });

  it("gives the outcome once, before it completes", () => {
    const seen: unknown[] = [];
    const tell = (update$: Observable<unknown>) => update$.pipe(ignoreElements());
    runCall(
      callOf(() => of(values.a, values.b)),
      toolDeps([]),
      tell,
      ({ result }) => seen.push(result),
    ).subscribe({ complete: () => seen.push("end") });
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
