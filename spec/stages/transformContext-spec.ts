import { describe, expect, it, jest } from "@jest/globals";
import {
  concat,
  EMPTY,
  endWith,
  lastValueFrom,
  map,
  NEVER,
  of,
  throwError,
  type OperatorFunction,
} from "rxjs";
import { runControl, transformContext, type AgentMessage, type TransformContextDeps } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const control = runControl();
const messages: AgentMessage[] = [user("a"), user("b")];
const last: AgentMessage[] = [messages[1]!];

type Hook = TransformContextDeps["transformContext"];
type Operator = OperatorFunction<AgentMessage[], AgentMessage[]>;

const hooked = (hook: Hook) => of(messages).pipe(transformContext({ control, transformContext: hook }));
const operated = (operator: Operator) =>
  of(messages).pipe(transformContext({ control, operators: { context: operator } }));

describe("transformContext", () => {
  it("passes the messages when there is neither hook nor operator", () => {
    let got: unknown;
    of(messages)
      .pipe(transformContext({ control }))
      .subscribe((value) => (got = value));
    expect(got).toBe(messages);
  });

  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      const stage = transformContext({
        control,
        transformContext: () => [],
        operators: { context: map((m) => m) },
      });
      expectObservable(EMPTY.pipe(stage)).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage)).toBe("#");
    });
  });

  it("gives the hook messages and signal, and takes its array as one value", () => {
    const hook = jest.fn(() => last);
    const got: unknown[] = [];
    hooked(hook).subscribe((value) => got.push(value));
    expect(hook.mock.calls).toEqual([[messages, control.signal]]);
    expect(got).toEqual([last]);
  });

  it("waits for the hook's observable", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(hooked(() => cold("--(m|)", { m: last }))).toBe("--(m|)", { m: last });
    });
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", '"text"'],
  ])("names the hook when it gives %p", (value, shown) => {
    virtually(({ expectObservable }) => {
      const error = new TypeError(`transformContext: expected an array of messages, got ${shown}`);
      expectObservable(hooked(() => value as never)).toBe("#", undefined, error);
    });
  });

  it.each(failingHooks)("fails when the hook %s", async (_, hook) => {
    await expect(lastValueFrom(hooked(hook))).rejects.toBe(hookError);
  });

  it("leaves the hook when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<AgentMessage[]>("-----m|");
      expectObservable(
        hooked(() => hook$),
        "^--!",
      ).toBe("----");
      expectSubscriptions(hook$.subscriptions).toBe("^--!");
    });
  });

  it("applies the operator to what the hook gave", () => {
    virtually(({ expectObservable }) => {
      const seen: unknown[] = [];
      const operator: Operator = map((value) => (seen.push(value), [...value, user("c")]));
      const stage = transformContext({
        control,
        transformContext: () => last,
        operators: { context: operator },
      });
      expectObservable(of(messages).pipe(stage)).toBe("(m|)", { m: [messages[1], user("c")] });
      expectObservable(of(seen)).toBe("(s|)", { s: [last] });
    });
  });

  it("applies the operator anew per request", () => {
    virtually(({ expectObservable }) => {
      const context: Operator = (source$) => source$.pipe(map((value, index) => (index === 0 ? value : [])));
      const stage = transformContext({ control, operators: { context } });
      expectObservable(of(messages, messages).pipe(stage)).toBe("(mm|)", { m: messages });
    });
  });

  it.each<[string, Operator, string]>([
    ["none", () => EMPTY, "one value, got none"],
    ["two", (source$) => source$.pipe(endWith(last)), "one value, got 2"],
    ["no array", map(() => "text" as never), 'an array of messages, got "text"'],
  ])("names the operator when it gives %s", (_, operator, what) => {
    virtually(({ expectObservable }) => {
      const error = new TypeError(`operators.context: expected ${what}`);
      expectObservable(operated(operator)).toBe("#", undefined, error);
    });
  });

  it("goes on when the operator gives one value and never completes", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const slow$ = cold("--m---", { m: last });
      expectObservable(operated((source$) => concat(source$, NEVER))).toBe("(m|)", { m: messages });
      expectObservable(operated(() => slow$)).toBe("--(m|)", { m: last });
      expectSubscriptions(slow$.subscriptions).toBe("^-!");
    });
  });

  it("fails as the operator fails, also when it cannot be applied", () => {
    virtually(({ expectObservable }) => {
      expectObservable(operated(() => throwError(() => "error"))).toBe("#");
      const thrower = (): never => {
        throw "error";
      };
      expectObservable(operated(thrower)).toBe("#");
    });
  });
});
