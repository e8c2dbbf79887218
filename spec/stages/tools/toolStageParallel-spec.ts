import { describe, expect, it, jest } from "@jest/globals";
import { concat, count, finalize, ignoreElements, merge, of, timer, type Observable } from "rxjs";
import {
  runControl,
  toolStage,
  type AgentToolResult,
  type AnyAgentTool,
  type ToolStageDeps,
} from "pi-agent-rx";
import { assistant, call, output, tool } from "../../support/fixtures";
import { toolDeps, toolEvents, toolWords } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

type Output$ = Observable<AgentToolResult<unknown>>;
const values = { v: output("v") };
const ids = ["1", "2", "3"];
const message = assistant(ids.map((id) => call(id, id)));
const batch = (deps: ToolStageDeps) => of(message).pipe(toolStage(deps), toolEvents);

/** One tool a call, each with its own output. */
const toolsOf = (...outputs: Output$[]): AnyAgentTool[] =>
  outputs.map((output$, n) => tool(ids[n], () => output$));

/** A promise's face on virtual time: a result after `ms`, without an update before. */
function silent(ms: number): AnyAgentTool["execute"] {
  const then = (resolve: (value: unknown) => void) => {
    timer(ms).subscribe(() => resolve(output("v")));
    return { then: () => {} };
  };
  return () => ({ then }) as never;
}

describe("toolStage in parallel", () => {
  it("tells ends in the order in which tools end, result messages in source order", () => {
    virtually(({ expectObservable }) => {
      const deps = toolDeps([tool("1", silent(15)), tool("2", silent(6)), tool("3", silent(9))]);
      expectObservable(batch(deps)).toBe("(abc)-y--z-----(xrst|)", toolWords);
    });
  });

  it("starts the tools together, after the last preflight", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("-----v|", values);
      const hooks = { beforeToolCall: () => cold<undefined>("-|") };
      const starts = batch(toolDeps(toolsOf(tool$, tool$, tool$), hooks));
      expectObservable(starts, "^----!").toBe("abc--", toolWords);
      expectSubscriptions(tool$.subscriptions).toBe(["---^-!", "---^-!", "---^-!"]);
    });
  });

  it("ends a call that fails its preflight before later calls start", () => {
    virtually(({ expectObservable }) => {
      const tools = [tool("1"), tool("3")];
      expectObservable(batch(toolDeps(tools))).toBe("(abycxzrst|)", toolWords);
    });
  });

  it("asks the preflights one after another", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold("-----(d|)", { d: { block: true } });
      const deps = toolDeps(
        [1, 2, 3].map((id) => tool(`${id}`)),
        { beforeToolCall: () => hook$ },
      );
      expectObservable(batch(deps)).toBe("a----(xb)-(yc)-(zrst|)", toolWords);
      expectSubscriptions(hook$.subscriptions).toBe(["^----!", "-----^----!", "----------^----!"]);
    });
  });

  it("runs at most toolConcurrency tools at once", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [one$, two$, three$] = [cold("------v|", values), cold("--v|", values), cold("----v|", values)];
      const deps = toolDeps(toolsOf(one$, two$, three$), { toolConcurrency: 2 });
      const ends$ = of(message).pipe(toolStage(deps), ignoreElements());
      expectObservable(ends$).toBe("--------|");
      expectSubscriptions(one$.subscriptions).toBe("^------!");
      expectSubscriptions(two$.subscriptions).toBe("^--!");
      expectSubscriptions(three$.subscriptions).toBe("---^----!");
    });
  });

  it("runs one tool at a time with a limit of one, and still tells results last", () => {
    virtually(({ expectObservable }) => {
      const tools = ids.map((id) => tool(id, silent(6)));
      expectObservable(batch(toolDeps(tools, { toolConcurrency: 1 }))).toBe(
        "(abc)-x-----y-----(zrst|)",
        toolWords,
      );
    });
  });

  it("tells an end after the updates of its call", () => {
    virtually(({ cold, expectObservable }) => {
      const deps = toolDeps([
        tool("1", () => cold("------v---|", values)),
        tool("2", () => cold("-------v-|", values)),
        tool("3", silent(8)),
      ]);
      expectObservable(batch(deps)).toBe("(abc)-uvzy(xrst|)", toolWords);
    });
  });

  it("aborts nothing when a finished tool is torn down", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const control = runControl(5);
      const aborted: boolean[] = [];
      const own: AbortSignal[] = [];
      const ending =
        (frames: string): AnyAgentTool["execute"] =>
        (_id, _params, signal) => {
          own.push(signal!);
          return cold(frames, values).pipe(
            finalize(() => aborted.push(control.signal.aborted || signal!.aborted)),
          );
        };
      for (const operators of [undefined, { toolCall: () => (source$: Output$) => source$ }]) {
        const tools = [tool("1", ending("-v|")), tool("2", ending("---v|")), tool("3", ending("-----v|"))];
        const done$ = of(message).pipe(toolStage(toolDeps(tools, { control, operators })), ignoreElements());
        expectObservable(done$).toBe("------|");
      }
      flush();
      expect(aborted).toEqual([false, false, false, false, false, false]);
      expect(own.map((signal) => signal.aborted)).toEqual(own.map(() => false));
    });
  });

  it.each([[1], [2]])(
    "stays flat over 10,000 synchronous tools behind a slow one, with a limit of %p",
    (limit) => {
      virtually(({ expectObservable, flush }) => {
        const execute = jest.fn(() => output("done"));
        const slow = [call("a", "slow"), call("b", "slow")];
        const many = assistant([...slow, ...Array.from({ length: 10_000 }, (_, n) => call(`${n}`))]);
        const deps = toolDeps([tool("slow", silent(3)), tool("echo", execute)], { toolConcurrency: limit });
        const events$ = of(many).pipe(toolStage(deps), count());
        expectObservable(events$).toBe(limit === 1 ? "------(n|)" : "---(n|)", { n: 40_008 });
        flush();
        expect(execute).toHaveBeenCalledTimes(10_000);
      });
    },
  );

  it("runs two batches at once that share nothing", () => {
    virtually(({ expectObservable }) => {
      const one = () =>
        of(assistant([call("1", "1")])).pipe(toolStage(toolDeps([tool("1", silent(2))])), toolEvents);
      expectObservable(merge(one(), concat(timer(8).pipe(ignoreElements()), one()))).toBe(
        "a-(xr)--a-(xr|)",
        toolWords,
      );
    });
  });
});
