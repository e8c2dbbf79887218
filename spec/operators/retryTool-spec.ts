import { describe, expect, it } from "@jest/globals";
import { Agent, type AnyToolResult } from "pi-agent-rx";
import { retryTool } from "pi-agent-rx/operators";
import { defer, timer } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { callRequest } from "./support/policies";

const results = { a: output("a"), u: output("half"), f: output("no", { isError: true }) };
const still = { jitter: 0, backoff: 2 };
const thrown = new Error("no");

describe("retryTool", () => {
  it("runs a tool again that threw, after a wait that doubles", () =>
    virtually(({ cold, expectObservable }) => {
      const tries = [
        cold<AnyToolResult>("-#", {}, thrown),
        cold<AnyToolResult>("#", {}, thrown),
        cold("-a|", results),
      ];
      const result$ = defer(() => tries.shift()!).pipe(retryTool(still)(callRequest()));
      expectObservable(result$).toBe("--------a|", results);
    }));

  it("runs one again whose last value says that it failed", () =>
    virtually(({ cold, expectObservable }) => {
      const tries = [cold("uf|", results), cold("a|", results)];
      const result$ = defer(() => tries.shift()!).pipe(retryTool(still)(callRequest()));
      expectObservable(result$).toBe("uf--a|", results);
    }));

  it("gives up with the last failure", () =>
    virtually(({ cold, expectObservable }) => {
      const result$ = cold<AnyToolResult>("-#", {}, thrown).pipe(
        retryTool({ ...still, attempts: 2 })(callRequest()),
      );
      expectObservable(result$).toBe("----#", {}, thrown);
      const failed$ = cold("f|", results).pipe(retryTool({ attempts: 1 })(callRequest()));
      expectObservable(failed$).toBe("f|", results);
    }));

  it("runs no tool again that forbids it, or that it is told not to", () =>
    virtually(({ cold, expectObservable }) => {
      const never = callRequest("1", { tool: tool("echo", undefined, { replay: "never" }) });
      expectObservable(cold<AnyToolResult>("#", {}, thrown).pipe(retryTool(still)(never))).toBe(
        "#",
        {},
        thrown,
      );
      const picky = retryTool({ ...still, isRetryable: (failure) => failure !== thrown });
      expectObservable(cold<AnyToolResult>("#", {}, thrown).pipe(picky(callRequest()))).toBe("#", {}, thrown);
    }));

  it("passes an early unsubscription, in a wait too", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const left$ = cold<AnyToolResult>("-#", {}, thrown);
      expectObservable(left$.pipe(retryTool({ ...still, backoff: 9 })(callRequest())), "^---!").toBe("----");
      expectSubscriptions(left$.subscriptions).toBe("^!");
    }));

  it("waits no longer after an abort: the failure stays, whatever was shown before it", () =>
    virtually(({ cold, expectObservable }) => {
      const controller = new AbortController();
      const aborted = callRequest("1", { signal: controller.signal });
      timer(4).subscribe(() => controller.abort());
      const slow = retryTool({ ...still, backoff: 9 });
      expectObservable(cold("u-#", results, thrown).pipe(slow(aborted))).toBe("u---#", results, thrown);
      expectObservable(cold("-uf|", results).pipe(slow(aborted))).toBe("-uf-|", results);
    }));

  it("works on an agent", () => {
    let tries = 0;
    let shown: unknown;
    virtually(() => {
      const flaky = tool("echo", () => {
        if (++tries < 3) throw thrown;
        return output("at last");
      });
      const agent = new Agent({
        initialState: { model, tools: [flaky] },
        streamFn: answers(assistant([call("1")]), assistant("bye")),
        operators: { toolCall: retryTool() },
      });
      agent.prompt$("x").subscribe({ complete: () => (shown = agent.state.messages.at(-2)) });
    });
    expect(shown).toMatchObject({ isError: false, content: [{ text: "at last" }] });
  });
});
