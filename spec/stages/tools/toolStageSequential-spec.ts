import { describe, expect, it, jest } from "@jest/globals";
import { count, filter, ignoreElements, of } from "rxjs";
import { toolStage, type AnyAgentTool, type ToolStageDeps } from "pi-agent-rx";
import { assistant, call, output, tool } from "../../support/fixtures";
import { toolDeps, toolEvents, toolWords } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const values = { v: output("v") };
const ids = ["1", "2", "3"];
const message = assistant(ids.map((id) => call(id, id)));
const sequential = (tools: AnyAgentTool[], fields: Partial<ToolStageDeps> = {}) =>
  of(message).pipe(toolStage(toolDeps(tools, { toolExecution: "sequential", ...fields })));

describe("toolStage in sequence", () => {
  it("brings a call to its result before the next one starts", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("-----v|", values);
      const tools = ids.map((id) => tool(id, () => tool$));
      const events$ = sequential(tools).pipe(toolEvents);
      expectObservable(events$.pipe(filter((word) => !word.startsWith("update")))).toBe(
        "a-----(xrb)-(ysc)-(zt|)",
        toolWords,
      );
      expectSubscriptions(tool$.subscriptions).toBe(["^-----!", "------^-----!", "------------^-----!"]);
    });
  });

  it("asks the hooks of a call in its turn", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [before$, after$] = [cold<undefined>("-|"), cold<undefined>("--|")];
      const hooks = { beforeToolCall: () => before$, afterToolCall: () => after$ };
      const tools = ids.map((id) => tool(id));
      expectObservable(sequential(tools, hooks).pipe(ignoreElements())).toBe("---------|");
      expectSubscriptions(before$.subscriptions).toBe(["^!", "---^!", "------^!"]);
      expectSubscriptions(after$.subscriptions).toBe(["-^-!", "----^-!", "-------^-!"]);
    });
  });

  it("goes on after a call that cannot run", () => {
    virtually(({ expectObservable }) => {
      expectObservable(sequential([tool("1"), tool("3")]).pipe(toolEvents)).toBe("(axrbysczt|)", toolWords);
    });
  });

  it("is chosen by one tool of the batch", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("-v|", values);
      const tools = ids.map((id) => tool(id, () => tool$));
      tools[2]!.executionMode = "sequential";
      expectObservable(sequential(tools, { toolExecution: "parallel" }).pipe(ignoreElements())).toBe(
        "------|",
      );
      expectSubscriptions(tool$.subscriptions).toBe(["^-!", "--^-!", "----^-!"]);
    });
  });

  it("is not chosen by a tool that no call of the batch names, nor undone by a parallel one", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [together$, apart$] = [cold("-v|", values), cold("-v|", values)];
      const sleeper = tool("sleeper", undefined, { executionMode: "sequential" });
      const parallel = [...ids.map((id) => tool(id, () => together$)), sleeper];
      expectObservable(sequential(parallel, { toolExecution: undefined }).pipe(ignoreElements())).toBe("--|");
      expectSubscriptions(together$.subscriptions).toBe(["^-!", "^-!", "^-!"]);
      const own = ids.map((id) => tool(id, () => apart$, { executionMode: "parallel" }));
      expectObservable(sequential(own).pipe(ignoreElements())).toBe("------|");
      expectSubscriptions(apart$.subscriptions).toBe(["^-!", "--^-!", "----^-!"]);
    });
  });

  it("leaves the running tool when it is left, and starts no other", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("-----v|", values);
      const tools = ids.map((id) => tool(id, () => tool$));
      expectObservable(sequential(tools).pipe(ignoreElements()), "^-------!").toBe("--------");
      expectSubscriptions(tool$.subscriptions).toBe(["^-----!", "------^-!"]);
    });
  });

  it("stays flat over 10,000 synchronous tools", () => {
    const execute = jest.fn(() => output("done"));
    const many = assistant(Array.from({ length: 10_000 }, (_, n) => call(`${n}`)));
    const deps = toolDeps([tool("echo", execute)], { toolExecution: "sequential" });
    let events = 0;
    of(many)
      .pipe(toolStage(deps), count())
      .subscribe((total) => (events = total));
    expect(events).toBe(40_000);
    expect(execute).toHaveBeenCalledTimes(10_000);
  });
});
