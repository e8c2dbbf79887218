import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { memoizeTool } from "pi-agent-rx/operators";
import { concat, defer, of, throwError, timer } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { callRequest } from "./support/policies";

/** Runs calls with these arguments one after another; says which ran. */
function runs(policy: ReturnType<typeof memoizeTool>, ...args: unknown[]): unknown[] {
  const ran: unknown[] = [];
  for (const given of args) {
    const result$ = defer(() => {
      ran.push(given);
      return of(output("a"));
    });
    result$.pipe(policy(callRequest("1", { args: given }))).subscribe();
  }
  return ran;
}

describe("memoizeTool", () => {
  it("runs a call once, whatever the order of its arguments", () => {
    expect(runs(memoizeTool(), { a: 1, b: 2 }, { b: 2, a: 1 }, { a: 1, b: 3 })).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
    ]);
  });

  it("gives the last value, without the usage, and no updates", () =>
    virtually(({ cold, expectObservable }) => {
      const { usage } = assistant("");
      const results = { u: output("half"), a: output("all", { usage }), m: output("all") };
      const policy = memoizeTool();
      expectObservable(cold("ua|", results).pipe(policy(callRequest()))).toBe("ua|", results);
      const again$ = defer(() => cold("ua|", results).pipe(policy(callRequest())));
      expectObservable(again$, "----^").toBe("----(m|)", results);
    }));

  it("keeps no failure, and nothing of a call that was left", () => {
    const policy = memoizeTool();
    const ask = (result$: Parameters<ReturnType<typeof policy>>[0]) => result$.pipe(policy(callRequest()));
    ask(throwError(() => new Error("no"))).subscribe({ error: () => {} });
    ask(of(output("no", { isError: true }))).subscribe();
    ask(concat(of(output("half")), timer(1e6)) as never)
      .subscribe()
      .unsubscribe();
    expect(runs(policy, { path: "a" }, { path: "a" })).toEqual([{ path: "a" }]);
  });

  it("always runs what has no key", () => {
    expect(runs(memoizeTool({ key: () => undefined }), 1, 1)).toEqual([1, 1]);
    expect(runs(memoizeTool({ key: () => "" }), 1, 2)).toEqual([1]);
  });

  it("forgets the oldest, and what is too old", () => {
    expect(runs(memoizeTool({ maxSize: 1 }), 1, 2, 1)).toEqual([1, 2, 1]);
    virtually(() => {
      const policy = memoizeTool({ maxAge: 5 });
      const seen: unknown[] = [];
      for (const at of [0, 5, 6]) timer(at).subscribe(() => seen.push(...runs(policy, at && 1, 0)));
      timer(7).subscribe(() => expect(seen).toEqual([0, 1, 0]));
    });
  });

  it("works on an agent", () => {
    let ran = 0;
    virtually(() => {
      const agent = new Agent({
        initialState: { model, tools: [tool("echo", () => output(`${++ran}`))] },
        streamFn: answers(assistant([call("1")]), assistant([call("2")]), assistant("bye")),
        operators: { toolCall: memoizeTool() },
      });
      agent.prompt$("x").subscribe();
    });
    expect(ran).toBe(1);
  });

  it("names what it expects", () => {
    expect(() => memoizeTool({ maxSize: 0 })).toThrow("maxSize: expected an integer ≥ 1, got 0");
    expect(() => memoizeTool({ maxAge: NaN })).toThrow("maxAge: expected a number of ms, got NaN");
  });
});
