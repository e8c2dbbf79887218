import { describe, expect, it, jest } from "@jest/globals";
import { of, timer } from "rxjs";
import { toolStage, type AnyAgentTool, type ToolStageDeps } from "pi-agent-rx";
import { assistant, call, output, tool } from "../../support/fixtures";
import { resultTexts, toolDeps, toolEvents, toolWords } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const values = { v: output("real"), w: output("so far") };
const ids = ["1", "2", "3"];
const message = assistant(ids.map((id) => call(id, id)));
const ABORTED = "Operation aborted";

/** A batch that is aborted at `at`, with a grace of 5. */
function aborted(at: number, tools: AnyAgentTool[], fields: Partial<ToolStageDeps> = {}) {
  const deps = toolDeps(tools, fields);
  if (at < 0) deps.control.abort();
  else timer(at).subscribe(() => deps.control.abort());
  return of(message).pipe(toolStage(deps));
}

describe("toolStage under an abort", () => {
  it.each(["parallel", "sequential"] as const)(
    "executes nothing and asks no hook when it came before, %s; each call has its end and its result",
    (toolExecution) => {
      const execute = jest.fn(() => output("done"));
      const hooks = { beforeToolCall: jest.fn(() => undefined), afterToolCall: jest.fn(() => undefined) };
      const tools = ids.map((id) => tool(id, execute));
      virtually(({ expectObservable }) => {
        const expected = toolExecution === "parallel" ? "(axbyczrst|)" : "(axrbysczt|)";
        expectObservable(aborted(-1, tools, { toolExecution, ...hooks }).pipe(toolEvents)).toBe(
          expected,
          toolWords,
        );
        expectObservable(aborted(-1, tools, { toolExecution, ...hooks }).pipe(resultTexts)).toBe("(t|)", {
          t: [ABORTED, ABORTED, ABORTED],
        });
      });
      for (const hook of [execute, ...Object.values(hooks)]) expect(hook).not.toHaveBeenCalled();
    },
  );

  it("keeps finished results, takes what ends within the grace, and leaves the rest", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [done$, graced$, stalled$] = [
        cold("v|", values),
        cold("----v|", values),
        cold("w---------", values),
      ];
      const tools = [tool("1", () => done$), tool("2", () => graced$), tool("3", () => stalled$)];
      expectObservable(aborted(2, tools).pipe(resultTexts)).toBe("-------(t|)", {
        t: ["real", "real", ABORTED],
      });
      expectSubscriptions(graced$.subscriptions).toBe("^----!");
      expectSubscriptions(stalled$.subscriptions).toBe("^------!");
    });
  });

  it("takes an error that a tool throws within the grace as the tool's own", () => {
    virtually(({ cold, expectObservable }) => {
      const failed$ = cold<typeof values.v>("---#", undefined, new Error("cancelled by signal"));
      const tools = ids.map((id) => tool(id, () => failed$));
      expectObservable(aborted(1, tools).pipe(resultTexts)).toBe("---(t|)", {
        t: ids.map(() => "cancelled by signal"),
      });
    });
  });

  it("executes no tool that waited behind toolConcurrency", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const first$ = cold("------v|", values);
      const execute = jest.fn(() => output("done"));
      const tools = [tool("1", () => first$), tool("2", execute), tool("3", execute)];
      const afterToolCall = jest.fn(() => undefined);
      const batch$ = aborted(3, tools, { toolConcurrency: 1, afterToolCall });
      expectObservable(batch$.pipe(toolEvents)).toBe("(abc)-u(xyzrst|)", toolWords);
      expectSubscriptions(first$.subscriptions).toBe("^------!");
      flush();
      expect(execute).not.toHaveBeenCalled();
      expect(afterToolCall).toHaveBeenCalledTimes(1);
    });
  });

  it("executes no later call of a sequential batch, which still ends in order", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const execute = jest.fn(() => output("done"));
      const tools = [tool("1", () => cold("-----v|", values)), tool("2", execute), tool("3", execute)];
      const batch$ = aborted(3, tools, { toolExecution: "sequential" });
      expectObservable(batch$.pipe(toolEvents)).toBe("a----u(xrbysczt|)", toolWords);
      flush();
      expect(execute).not.toHaveBeenCalled();
    });
  });

  it("executes no tool when it came while a hook was asked", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const execute = jest.fn(() => output("done"));
      const beforeToolCall = jest.fn(() => cold<undefined>("-----|"));
      const batch$ = aborted(
        2,
        ids.map((id) => tool(id, execute)),
        { beforeToolCall },
      );
      expectObservable(batch$.pipe(toolEvents)).toBe("a----(xbyczrst|)", toolWords);
      flush();
      expect(execute).not.toHaveBeenCalled();
      expect(beforeToolCall).toHaveBeenCalledTimes(1);
    });
  });

  it("executes no tool that the abort of an earlier one in the same breath precedes", () => {
    const execute = jest.fn(() => output("done"));
    const deps = toolDeps([]);
    deps.context.tools = [
      tool("1", () => (deps.control.abort(), output("real"))),
      tool("2", execute),
      tool("3", execute),
    ] as never;
    const texts: string[][] = [];
    of(message)
      .pipe(toolStage(deps), resultTexts)
      .subscribe((all) => texts.push(all));
    expect(texts).toEqual([["real", ABORTED, ABORTED]]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("lets afterToolCall see tools that ended within the grace, and no others", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const seen: string[] = [];
      const tools = [
        tool("1", () => cold("---v|", values)),
        tool("2", () => cold("---#", undefined, new Error("no"))),
        tool("3", () => cold("----------")),
      ];
      const afterToolCall: ToolStageDeps["afterToolCall"] = ({ toolCall }) => void seen.push(toolCall.id);
      expectObservable(aborted(1, tools, { afterToolCall }).pipe(resultTexts)).toBe("------(t|)", {
        t: ["real", "no", ABORTED],
      });
      flush();
      expect(seen).toEqual(["2", "1"]);
    });
  });

  it("changes nothing after the batch", () => {
    virtually(({ expectObservable }) => {
      const tools = ids.map((id) => tool(id));
      expectObservable(aborted(1, tools).pipe(resultTexts)).toBe("(t|)", { t: ["done", "done", "done"] });
    });
  });
});
