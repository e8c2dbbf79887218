import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, lastValueFrom, map, of, throwError } from "rxjs";
import {
  prepareRequest,
  runControl,
  type AgentContext,
  type ReactivePrepareRequest,
  type PrepareRequestContext,
} from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { context, model, user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const request: PrepareRequestContext = {
  context: context([user("hi")]) as AgentContext,
  model,
  thinkingLevel: "low",
};
const stage = (hook?: ReactivePrepareRequest, control = runControl()) =>
  prepareRequest({ control, prepareRequest: hook });

function prepared(hook?: ReactivePrepareRequest): PrepareRequestContext {
  let result: PrepareRequestContext | undefined;
  of(request)
    .pipe(stage(hook))
    .subscribe((value) => (result = value));
  return result!;
}

describe("prepareRequest", () => {
  it("passes the request when there is no hook", () => {
    expect(prepared()).toBe(request);
  });

  it("passes an empty source and an error without asking the hook", () => {
    virtually(({ expectObservable }) => {
      const hook = jest.fn(() => undefined);
      expectObservable(EMPTY.pipe(stage(hook))).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage(hook))).toBe("#");
      expectObservable(of(hook).pipe(map(({ mock }) => mock.calls.length))).toBe("(n|)", { n: 0 });
    });
  });

  it("asks the hook once per request, with the request and the signal", () => {
    const hook = jest.fn<ReactivePrepareRequest>(() => undefined);
    const control = runControl();
    of(request, request).pipe(stage(hook, control)).subscribe();
    expect(hook.mock.calls).toEqual([
      [request, control.signal],
      [request, control.signal],
    ]);
  });

  it("replaces what the hook gives and keeps the rest", () => {
    const other = { ...model, id: "large" };
    const changed = context([user("other")]);
    expect(prepared(() => undefined)).toEqual(request);
    expect(prepared(() => ({}))).toEqual(request);
    expect(prepared(() => ({ model: other }))).toEqual({ ...request, model: other });
    expect(prepared(() => ({ context: changed }))).toEqual({ ...request, context: changed });
    expect(prepared(() => ({ thinkingLevel: "off" }))).toEqual({ ...request, thinkingLevel: "off" });
  });

  it("waits for an observable; an empty one changes nothing", () => {
    virtually(({ cold, expectObservable }) => {
      const update = { thinkingLevel: "high" as const };
      const level = map(({ thinkingLevel }: PrepareRequestContext) => thinkingLevel);
      const words = { h: "high", l: "low" };
      const told = (hook: ReactivePrepareRequest) => of(request).pipe(stage(hook), level);
      expectObservable(told(() => cold("--(u|)", { u: update }))).toBe("--(h|)", words);
      expectObservable(told(() => cold<undefined>("--|"))).toBe("--(l|)", words);
    });
  });

  it.each(failingHooks)("fails when the hook %s", async (_, hook) => {
    await expect(lastValueFrom(of(request).pipe(stage(hook)))).rejects.toBe(hookError);
  });

  it("names the hook when it gives several values", () => {
    virtually(({ expectObservable }) => {
      const error = new TypeError("prepareRequest: expected one value, got 2");
      expectObservable(of(request).pipe(stage(() => of({}, {})))).toBe("#", undefined, error);
    });
  });

  it("leaves the hook when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold("-----u|");
      expectObservable(of(request).pipe(stage(() => hook$ as never)), "^--!").toBe("----");
      expectSubscriptions(hook$.subscriptions).toBe("^--!");
    });
  });

  it("asks the second request's hook when the first has been answered", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold("--|");
      const level = map(({ thinkingLevel }: PrepareRequestContext) => thinkingLevel);
      expectObservable(
        of(request, request).pipe(
          stage(() => hook$ as never),
          level,
        ),
      ).toBe("--l-(l|)", {
        l: "low",
      });
      expectSubscriptions(hook$.subscriptions).toBe(["^-!", "--^-!"]);
    });
  });
});
