import { describe, it } from "@jest/globals";
import { EMPTY, NEVER, of } from "rxjs";
import { oneValue } from "../../src/internal/oneValue";
import { virtually } from "../support/virtually";

const none = new TypeError("operators.context: expected one value, got none");
const two = new TypeError("operators.context: expected one value, got 2");

describe("oneValue", () => {
  it("lets one value through when the source completes", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("  --v|");
      const expected = "      --(v|)";
      expectObservable(source$.pipe(oneValue("operators.context"))).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe("^-!");
    });
  });

  it("lets a synchronous value through synchronously when the source completes", () => {
    const seen: unknown[] = [];
    of(1)
      .pipe(oneValue("operators.context"))
      .subscribe({ next: (value) => seen.push(value), complete: () => seen.push("end") });
    seen.push("after");
    virtually(({ expectObservable }) => expectObservable(of(seen)).toBe("(s|)", { s: [1, "end", "after"] }));
  });

  it("goes on without a source that gives one value and never completes", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("--v--").pipe(oneValue("operators.context"))).toBe("--(v|)");
    });
  });

  it("names the part when there is no value", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(EMPTY.pipe(oneValue("operators.context"))).toBe("#", undefined, none);
      expectObservable(cold("--|").pipe(oneValue("operators.context"))).toBe("--#", undefined, none);
    });
  });

  it("names the part when there are several", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(of(1, 2).pipe(oneValue("operators.context"))).toBe("#", undefined, two);
      expectObservable(cold("-(ab)-").pipe(oneValue("operators.context"))).toBe("-#", undefined, two);
    });
  });

  it("gives undefined for an empty source when the value is optional", () => {
    virtually(({ expectObservable }) => {
      expectObservable(EMPTY.pipe(oneValue("finishTurn", true))).toBe("(u|)", { u: undefined });
    });
  });

  it("passes an error of the source", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("--#").pipe(oneValue("operators.context"))).toBe("--#");
    });
  });

  it("waits for a source that gives nothing, and leaves it when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("------");
      expectObservable(source$.pipe(oneValue("operators.context")), "^--!").toBe("----");
      expectObservable(NEVER.pipe(oneValue("operators.context")), "^--!").toBe("----");
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });
});
