import { describe, expect, it, jest } from "@jest/globals";
import { of } from "rxjs";
import { toolStage, type AgentEvent, type AnyAgentTool, type Gate, type ToolStageDeps } from "pi-agent-rx";
import { assistant, call, output, tool } from "../../support/fixtures";
import { failingGate, laneOf, slowGate } from "../../support/gates";
import { resultTexts, toolDeps, toolEvents, toolWords } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const values = { v: output("v") };
const ids = ["1", "2", "3"];
const message = assistant(ids.map((id) => call(id, id)));
const batch = (gate: Gate, tools: AnyAgentTool[], fields: Partial<ToolStageDeps> = {}) =>
  of(message).pipe(toolStage(toolDeps(tools, { gate, ...fields })));
const inEach = it.each(["parallel", "sequential"] as const);

describe("toolStage behind a gate", () => {
  it("starts no tool before the last start has passed", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("---v|", values);
      const tools = ids.map((id) => tool(id, () => tool$));
      const held$ = batch(slowGate(2, "tool_execution_start"), tools).pipe(toolEvents);
      expectObservable(held$, "^------!").toBe("--a-b-c", toolWords);
      expectSubscriptions(tool$.subscriptions).toBe(["------^!", "------^!", "------^!"]);
    });
  });

  it("asks beforeToolCall when the start of its call has passed", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<undefined>("-|");
      const held$ = batch(
        slowGate(3, "tool_execution_start"),
        ids.map((id) => tool(id)),
        {
          beforeToolCall: () => hook$,
        },
      ).pipe(toolEvents);
      expectObservable(held$, "^---------!").toBe("---a---b--", toolWords);
      expectSubscriptions(hook$.subscriptions).toBe(["---^!", "-------^!"]);
    });
  });

  it("starts the next call of a sequence when the last result has passed", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold<typeof values.v>("-----|");
      const tools = ids.map((id) => tool(id, () => tool$));
      const fields = { toolExecution: "sequential" } as const;
      const held$ = batch(slowGate(4, "message_end"), tools, fields).pipe(toolEvents);
      const until = " ^--------------!";
      const expected = "a----x---(rb)-y";
      expectObservable(held$, until).toBe(expected, toolWords);
      expectSubscriptions(tool$.subscriptions).toBe(["^----!", "---------^----!"]);
    });
  });

  it("ends a call when its last update has passed", () => {
    virtually(({ cold, expectObservable }) => {
      const tools = [tool("1", () => cold("v|", values))];
      const one$ = of(assistant([call("1", "1")])).pipe(
        toolStage(toolDeps(tools, { gate: slowGate(4, "tool_execution_update") })),
        toolEvents,
      );
      expectObservable(one$).toBe("a---(uxr|)", toolWords);
    });
  });

  it("keeps one order for the events of concurrent tools in one lane", () => {
    virtually(({ cold, expectObservable }) => {
      const gate = laneOf((event: AgentEvent) =>
        event.type === "tool_execution_update" ? cold<never>("-----|") : undefined,
      );
      const tools = [tool("1", () => cold("-v|", values)), tool("2", () => cold("--v|", values)), tool("3")];
      expectObservable(batch(gate, tools).pipe(toolEvents)).toBe("(abcz)u----(vxyrst|)", toolWords);
    });
  });

  inEach("settles the open calls and then fails when the gate fails at a start, %s", (toolExecution) => {
    virtually(({ expectObservable, flush }) => {
      const execute = jest.fn(() => output("done"));
      const tools = ids.map((id) => tool(id, execute));
      const gate = () => failingGate("tool_execution_start 2", "error");
      const fields = () => ({ toolExecution });
      const events = { parallel: "(abyczxrst#)", sequential: "(axrbysczt#)" };
      expectObservable(batch(gate(), tools, fields()).pipe(toolEvents)).toBe(
        events[toolExecution],
        toolWords,
      );
      flush();
      expect(execute).toHaveBeenCalledTimes(toolExecution === "parallel" ? 0 : 1);
    });
  });

  it("aborts the signal with the failure, and gives running tools the grace", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const signals: AbortSignal[] = [];
      const [graced$, stalled$] = [cold("--------v|", values), cold("-------------")];
      const stalled: AnyAgentTool["execute"] = (_id, _params, signal) => (
        signals.push(signal!),
        stalled$ as never
      );
      const tools = [tool("1", () => cold("------v|", values)), tool("2", () => graced$), tool("3", stalled)];
      const failing$ = batch(failingGate("tool_execution_end 1", "error"), tools);
      expectObservable(failing$.pipe(toolEvents)).toBe("(abc)-uxvy--(zrst#)", toolWords);
      expectSubscriptions(graced$.subscriptions).toBe("^--------!");
      expectSubscriptions(stalled$.subscriptions).toBe("^-----------!");
      flush();
      expect(signals[0]!.reason).toBe("error");
    });
  });

  inEach("gives a tool the grace when the gate fails at its update, %s", (toolExecution) => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("------v--v--|", values);
      const one$ = of(assistant([call("1", "1")])).pipe(
        toolStage(
          toolDeps([tool("1", () => tool$)], {
            gate: failingGate("tool_execution_update", "error"),
            toolExecution,
          }),
        ),
        toolEvents,
      );
      expectObservable(one$).toBe("a-----u--u-(xr#)", toolWords);
      expectSubscriptions(tool$.subscriptions).toBe("^----------!");
    });
  });

  it("fails once, with the first failure", () => {
    virtually(({ expectObservable }) => {
      let n = 0;
      const gate: Gate = (events$) => events$.pipe(failingGate("tool_execution_end", `error ${++n}`));
      const texts$ = batch(
        gate,
        ids.map((id) => tool(id)),
      ).pipe(resultTexts);
      expectObservable(texts$).toBe("#", undefined, expect.stringMatching(/^error/));
    });
  });
});
