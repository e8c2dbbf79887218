import { describe, expect, it } from "@jest/globals";
import { EMPTY, of, range, count } from "rxjs";
import { concatEach } from "../../src/internal/concatEach";
import { virtually } from "../support/virtually";

describe("concatEach", () => {
  it("runs the inners one after another", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const inner$ = cold("  --i|");
      const source$ = cold(" ab----|");
      const expected = "     --i--i|";
      expectObservable(source$.pipe(concatEach(() => inner$))).toBe(expected);
      expectSubscriptions(inner$.subscriptions).toBe(["^--!", "---^--!"]);
    });
  });

  it("completes with an empty source and skips empty inners", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(EMPTY.pipe(concatEach(() => of("i")))).toBe("|");
      expectObservable(cold("ab|").pipe(concatEach(() => EMPTY))).toBe("--|");
    });
  });

  it("passes errors of the source, of an inner and of the projection", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("-#").pipe(concatEach(() => of("i")))).toBe("-#");
      expectObservable(cold("a--|").pipe(concatEach(() => cold("-#")))).toBe("-#");
      const thrower = (): never => {
        throw "error";
      };
      expectObservable(cold("-a-|").pipe(concatEach(thrower))).toBe("-#");
    });
  });

  it("leaves the running inner when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const inner$ = cold("-----i|");
      expectObservable(cold("ab|").pipe(concatEach(() => inner$)), "^--!").toBe("----");
      expectSubscriptions(inner$.subscriptions).toBe("^--!");
    });
  });

  it("stays flat over 20,000 synchronous inners", () => {
    let seen = 0;
    range(20_000)
      .pipe(
        concatEach((n) => of(n)),
        count(),
      )
      .subscribe((total) => (seen = total));
    expect(seen).toBe(20_000);
  });

  it("stays flat when everything is buffered behind a slow first inner", () => {
    virtually(({ cold, expectObservable }) => {
      const slowFirst = (n: number) => (n === 0 ? cold<number>("---|") : of(n));
      expectObservable(range(20_000).pipe(concatEach(slowFirst), count())).toBe("---(n|)", { n: 19_999 });
    });
  });
});
