import { describe, expect, it, jest } from "@jest/globals";
import {
  EMPTY,
  endWith,
  ignoreElements,
  map,
  NEVER,
  of,
  retry,
  throwError,
  timeout,
  type Observable,
} from "rxjs";
import { runControl, type AgentOperators, type AgentToolResult, type AnyAgentTool } from "pi-agent-rx";
import { output } from "../../support/fixtures";
import { progressOf, type ToolProgress } from "../../support/sequences";
import { callOf, toolDeps } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

type Operator = AgentOperators["toolCall"];
const values = { a: output("a"), b: output("b"), c: output("c") };
const words = { A: "a", B: "b", R: "end b", C: "end c", X: "error Operation aborted" };

const short = map((progress: ToolProgress) => {
  const { result, isError } =
    "executed" in progress ? progress.executed : { result: progress.update, isError: undefined };
  const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join();
  return isError === undefined ? text : `${isError ? "error" : "end"} ${text}`;
});

/** A call whose tool gives one observable per execution, wrapped by `toolCall`. */
function executing(toolCall: Operator, ...outputs: Observable<unknown>[]) {
  const control = runControl(5);
  const signals: AbortSignal[] = [];
  const execute = jest.fn<AnyAgentTool["execute"]>((_id, _params, signal) => {
    signals.push(signal!);
    return outputs[Math.min(signals.length, outputs.length) - 1] as never;
  });
  const request = callOf(execute);
  const progress$ = progressOf(request, toolDeps([], { control, operators: { toolCall } })).pipe(short);
  return { control, signals, execute, request, progress$ };
}

const retrying: Operator = () => retry({ count: 3, delay: 2 });

describe("executeTool with operators.toolCall", () => {
  it("makes the operator of the call", () => {
    const toolCall = jest.fn(() => (source$: Observable<AgentToolResult<unknown>>) => source$);
    const { progress$, request } = executing(toolCall, of(values.a));
    progress$.subscribe();
    expect(toolCall.mock.calls).toEqual([[request]]);
  });

  it("takes what the operator makes of the outputs", () => {
    virtually(({ cold, expectObservable }) => {
      const changed = executing(() => map(() => values.c), cold("a-|", values));
      expectObservable(changed.progress$).toBe("c-(C|)", { ...words, c: "c" });
    });
  });

  it("executes the tool again when the operator subscribes again", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const [bad$, good$] = [cold("-#", values), cold("-b|", values)];
      const { progress$ } = executing(retrying, bad$, good$);
      expectObservable(progress$).toBe("----B(R|)", words);
      expectSubscriptions(bad$.subscriptions).toBe("^!");
      expectSubscriptions(good$.subscriptions).toBe("---^-!");
    });
  });

  it("aborts the signal of an execution that the operator leaves, and of no other", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [stalled$, good$] = [cold("------", values), cold("-b|", values)];
      const waiting: Operator = () => (source$) => source$.pipe(timeout({ each: 3 }), retry(1));
      const { progress$, signals, control } = executing(waiting, stalled$, good$);
      expectObservable(progress$).toBe("----B(R|)", words);
      expectSubscriptions(stalled$.subscriptions).toBe("^--!");
      flush();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(control.signal.aborted).toBe(false);
    });
  });

  it("hands an abort of the run on to the execution's signal", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { progress$, signals, control } = executing(retrying, cold("---b|", values));
      cold("-x").subscribe(() => control.abort("enough"));
      expectObservable(progress$).toBe("---B(R|)", words);
      flush();
      expect(signals[0]!.reason).toBe("enough");
    });
  });

  it("executes nothing more after an abort, however often the operator subscribes", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { progress$, execute, control } = executing(retrying, cold("--#"));
      cold("-x").subscribe(() => control.abort());
      expectObservable(progress$).toBe("----(X|)", words);
      flush();
      expect(execute).toHaveBeenCalledTimes(1);
    });
  });

  it("is left with its tool at the deadline of an abort", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const stalled$ = cold("-------------");
      const { progress$, control } = executing(retrying, stalled$);
      cold("-x").subscribe(() => control.abort());
      expectObservable(progress$).toBe("------(X|)", words);
      expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      const held = executing(() => () => NEVER, EMPTY);
      held.control.abort();
      expectObservable(held.progress$).toBe("-----(X|)", words);
    });
  });

  it("ends as an error when the operator fails, gives nothing, or cannot be made", () => {
    virtually(({ expectObservable }) => {
      const error = (text: string) => ({ e: `error ${text}` });
      const failing = executing(() => () => throwError(() => new Error("limit")), EMPTY);
      expectObservable(failing.progress$).toBe("(e|)", error("limit"));
      const empty = executing(() => ignoreElements(), of(values.a));
      expectObservable(empty.progress$).toBe("(e|)", { e: expect.stringContaining('error tool "echo": ') });
      const thrower = executing(() => {
        throw new Error("no operator");
      }, EMPTY);
      expectObservable(thrower.progress$).toBe("(e|)", error("no operator"));
    });
  });

  it("takes the last value of the operator as the result of a tool that gives one", () => {
    virtually(({ expectObservable }) => {
      const request = callOf(() => values.a);
      const operators: AgentOperators = { toolCall: () => endWith(values.b) };
      expectObservable(progressOf(request, toolDeps([], { operators })).pipe(short)).toBe("(R|)", words);
    });
  });

  it("leaves no listener on the run's signal", () => {
    const { progress$, control } = executing(retrying, of(values.a));
    const add = jest.spyOn(control.signal, "addEventListener");
    const remove = jest.spyOn(control.signal, "removeEventListener");
    for (let n = 0; n < 50; n++) progress$.subscribe();
    expect(add).toHaveBeenCalledTimes(50);
    expect(remove).toHaveBeenCalledTimes(50);
  });
});
