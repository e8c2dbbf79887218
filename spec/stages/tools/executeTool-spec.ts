import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, lastValueFrom, map, of, timer, toArray } from "rxjs";
import { runControl, type AgentToolUpdateCallback, type AnyAgentTool, type ToolStageDeps } from "pi-agent-rx";
import { failingHooks, hookError } from "../../support/failingHooks";
import { output } from "../../support/fixtures";
import { nothingStray } from "../../support/nothingStray";
import { progressOf, type ToolProgress } from "../../support/sequences";
import { callOf, toolDeps } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

type Execute = AnyAgentTool["execute"];

/** Progress in short: an update's text, or how it ended. */
const short = map((progress: ToolProgress) => {
  const { result, isError } =
    "executed" in progress ? progress.executed : { result: progress.update, isError: undefined };
  const [block] = result?.content ?? [];
  const text = block?.type === "text" ? block.text : "";
  return isError === undefined ? `update ${text}` : `${isError ? "error" : "result"} ${text}`;
});
const executed = (execute: Execute, deps: ToolStageDeps = toolDeps([])) =>
  progressOf(callOf(execute), deps).pipe(short);
const progress = (execute: Execute) => lastValueFrom(executed(execute).pipe(toArray()));

const values = { a: output("a"), b: output("b") };
const words = {
  A: "update a",
  B: "update b",
  R: "result b",
  X: "error Operation aborted",
};

describe("executeTool", () => {
  nothingStray();

  it("calls the tool with id, arguments, signal and a callback", () => {
    const execute = jest.fn<Execute>(() => output("done"));
    const deps = toolDeps([]);
    progressOf(callOf(execute, { args: { n: 1 } }), deps).subscribe();
    expect(execute.mock.calls).toEqual([["1", { n: 1 }, deps.control.signal, expect.any(Function)]]);
  });

  it("ends with a plain result synchronously, and with that of a promise", async () => {
    const seen: string[] = [];
    executed(() => output("done")).subscribe((word) => seen.push(word));
    expect(seen).toEqual(["result done"]);
    await expect(progress(() => Promise.resolve(output("done")))).resolves.toEqual(["result done"]);
  });

  it("measures how long the tool took", async () => {
    const [last] = await lastValueFrom(
      progressOf(
        callOf(() => output("done")),
        toolDeps([]),
      ).pipe(toArray()),
    );
    expect(last).toHaveProperty("executed.durationMs", expect.any(Number));
  });

  it("takes a result that says it failed as an error", async () => {
    await expect(progress(() => output("no", { isError: true }))).resolves.toEqual(["error no"]);
    await expect(progress(() => output("yes", { isError: false }))).resolves.toEqual(["result yes"]);
  });

  it.each(failingHooks)("ends as an error when the tool %s", async (_, execute) => {
    await expect(progress(execute)).resolves.toEqual([`error ${hookError.message}`]);
  });

  it.each([
    ["text", "error text"],
    [undefined, "error undefined"],
    [Object.create(null), expect.stringMatching(/^error ./)],
  ])("ends as an error when the tool throws %p", async (thrown, text) => {
    await expect(
      progress(() => {
        throw thrown;
      }),
    ).resolves.toEqual([text]);
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", '"text"'],
    [3, "3"],
  ])("says so when the tool gives %p", async (value, shown) => {
    const said = `error tool "echo": expected a result { content, details }, got ${shown}`;
    await expect(progress(() => value as never)).resolves.toEqual([said]);
    await expect(progress(() => Promise.resolve(value) as never)).resolves.toEqual([said]);
    await expect(progress(() => of(value) as never)).resolves.toEqual([said]);
  });

  it("says so when a stream ends without a result", async () => {
    const said = [expect.stringContaining('error tool "echo": ')];
    await expect(progress(() => EMPTY)).resolves.toEqual(said);
    await expect(progress(async function* () {})).resolves.toEqual(said);
  });

  it("tells each value of an observable as an update, the last is the result", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(executed(() => cold("a-b-|", values))).toBe("A-B-(R|)", words);
    });
  });

  it("tells each value of an async iterable as an update, the last is the result", async () => {
    const source = async function* () {
      yield output("a");
      yield output("b");
    };
    await expect(progress(source)).resolves.toEqual([words.A, words.B, words.R]);
  });

  it("ends as an error when a stream fails after its updates", () => {
    virtually(({ cold, expectObservable }) => {
      const failed = cold("a-#", values, new Error("reset"));
      expectObservable(executed(() => failed)).toBe("A-(E|)", { ...words, E: "error reset" });
    });
  });

  it("tells what the callback is given until the tool has ended", async () => {
    let late: AgentToolUpdateCallback = () => {};
    const execute: Execute = async (_id, _params, _signal, onUpdate) => {
      late = onUpdate!;
      onUpdate!(output("a"));
      await Promise.resolve();
      onUpdate!(output("b"));
      return output("b");
    };
    const seen: string[] = [];
    const ended = lastValueFrom(executed(execute).pipe(map((word) => seen.push(word))));
    await ended;
    late(output("too late"));
    expect(seen).toEqual([words.A, words.B, words.R]);
  });

  it("leaves the tool when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("a----b|", values);
      expectObservable(
        executed(() => tool$),
        "^--!",
      ).toBe("A---", words);
      expectSubscriptions(tool$.subscriptions).toBe("^--!");
    });
  });

  describe("under an abort", () => {
    const abortedAt = (at: number) => {
      const deps = toolDeps([]);
      timer(at).subscribe(() => deps.control.abort());
      return deps;
    };

    it("gives the tool the grace to end by itself, its updates included", () => {
      virtually(({ cold, expectObservable }) => {
        expectObservable(executed(() => cold("--a-b-|", values), abortedAt(2))).toBe("--A-B-(R|)", words);
      });
    });

    it("leaves a stalled tool at the deadline", () => {
      virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
        const tool$ = cold("a----------b|", values);
        const deps = abortedAt(1);
        const abandoned: unknown[] = [];
        expectObservable(executed(() => tool$, deps)).toBe("A-----(X|)", words);
        expectSubscriptions(tool$.subscriptions).toBe("^-----!");
        progressOf(
          callOf(() => cold("-----------b|", values)),
          deps,
        ).subscribe((given) => abandoned.push(given));
        flush();
        expect(abandoned.at(-1)).toHaveProperty("executed.abandoned", true);
      });
    });

    it("takes what the tool throws within the grace as its own error", () => {
      virtually(({ cold, expectObservable }) => {
        const tool$ = cold("---#", values, new Error("cancelled"));
        expectObservable(executed(() => tool$, abortedAt(1))).toBe("---(E|)", { E: "error cancelled" });
      });
    });

    it("ignores what an abandoned promise does later", async () => {
      const deps = toolDeps([]);
      let reject = (_error: Error) => {};
      const stalled = new Promise<never>((_, no) => (reject = no));
      const control = runControl(0);
      const ended = lastValueFrom(executed(() => stalled, { ...deps, control }));
      control.abort();
      await expect(ended).resolves.toBe(words.X);
      reject(new Error("late"));
    });
  });
});
