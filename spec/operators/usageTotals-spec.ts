import { describe, it } from "@jest/globals";
import { usageTotals } from "pi-agent-rx/operators";
import { assistant, toolResult, user } from "../support/fixtures";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const used = (output: number) => ({
  ...assistant("").usage,
  input: 10,
  output,
  totalTokens: 10 + output,
  cost: { ...assistant("").usage.cost, total: 0.5 },
});
const totals = (responses: number, count: number, output: number) => ({
  responses,
  input: 10 * count,
  output,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 10 * count + output,
  cost: 0.5 * count,
});
const answer = assistant("hi", { usage: used(1) });
const failed = assistant("hi", { usage: used(2), stopReason: "error" });
const alphabet = {
  u: event.end(user("hi")),
  s: event.start(answer),
  a: event.end(answer),
  f: event.end(failed),
  r: event.end({ ...toolResult("1"), usage: used(4) }),
  e: event.turnEnd(answer),
};

describe("usageTotals", () => {
  it("gives the totals at once and after each response and tool", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("-usaref-|", alphabet).pipe(usageTotals())).toBe("0--ar-f-|", {
        0: totals(0, 0, 0),
        a: totals(1, 1, 1),
        r: totals(1, 2, 5),
        f: totals(2, 3, 7),
      });
    }));

  it("begins with what a transcript has used, anew for each subscriber", () =>
    virtually(({ cold, expectObservable }) => {
      const totals$ = cold("-a", alphabet).pipe(usageTotals([user("hi"), answer]));
      const shown = { x: totals(1, 1, 1), y: totals(2, 2, 2) };
      expectObservable(totals$).toBe("xy", shown);
      expectObservable(totals$).toBe("xy", shown);
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(usageTotals())).toBe("0#", { 0: totals(0, 0, 0) });
      const left$ = cold("---a|", alphabet);
      expectObservable(left$.pipe(usageTotals()), "^-!").toBe("0--", { 0: totals(0, 0, 0) });
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));
});
