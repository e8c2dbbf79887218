import { describe, it } from "@jest/globals";
import { defer, EMPTY, NEVER, of, throwError } from "rxjs";
import { untilDeadline } from "../../src/internal/untilDeadline";
import { virtually } from "../support/virtually";

describe("untilDeadline", () => {
  it("passes a source that ends in time and lets go of the deadline", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const deadline$ = cold("-----x");
      const source$ = cold("  a-b|");
      expectObservable(source$.pipe(untilDeadline({ deadline$ }))).toBe("a-b|");
      expectSubscriptions(deadline$.subscriptions).toBe("^--!");
    });
  });

  it("lets go of the source at the deadline and completes", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const deadline$ = cold("---x");
      const source$ = cold("  a-b-c|");
      expectObservable(source$.pipe(untilDeadline({ deadline$ }))).toBe("a-b|");
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });

  it("goes on with the fallback", () => {
    virtually(({ cold, expectObservable }) => {
      const deadline$ = cold("---x");
      expectObservable(NEVER.pipe(untilDeadline({ deadline$ }, () => ["f"]))).toBe("---(f|)");
      expectObservable(NEVER.pipe(untilDeadline({ deadline$ }, () => cold("--g--|")))).toBe("-----g--|");
    });
  });

  it("has left the source while the fallback lasts", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const deadline$ = cold("---x");
      const source$ = cold("  a---b|");
      const fallback$ = cold("   ---g|");
      expectObservable(source$.pipe(untilDeadline({ deadline$ }, () => fallback$))).toBe("a-----g|");
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });

  it("passes an error of the source and of the fallback", () => {
    virtually(({ cold, expectObservable }) => {
      const deadline$ = cold("---x");
      expectObservable(cold("-#").pipe(untilDeadline({ deadline$ }))).toBe("-#");
      const fallback = () => throwError(() => "error");
      expectObservable(NEVER.pipe(untilDeadline({ deadline$ }, fallback))).toBe("---#");
    });
  });

  it("still lets a source end synchronously that starts after the deadline", () => {
    virtually(({ expectObservable, cold }) => {
      const late = { deadline$: of(0) };
      expectObservable(of("v").pipe(untilDeadline(late))).toBe("(v|)");
      expectObservable(cold("-v|").pipe(untilDeadline(late, () => ["f"]))).toBe("(f|)");
      expectObservable(defer(() => EMPTY).pipe(untilDeadline(late, () => ["f"]))).toBe("|");
    });
  });

  it("leaves source and deadline when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const deadline$ = cold("-----x");
      const source$ = cold("  ------a");
      expectObservable(source$.pipe(untilDeadline({ deadline$ })), "^-!").toBe("---");
      expectSubscriptions(source$.subscriptions).toBe("^-!");
      expectSubscriptions(deadline$.subscriptions).toBe("^-!");
    });
  });

  it("leaves the fallback when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const fallback$ = cold("------a");
      const late = untilDeadline({ deadline$: of(0) }, () => fallback$);
      expectObservable(NEVER.pipe(late), "^-!").toBe("---");
      expectSubscriptions(fallback$.subscriptions).toBe("^-!");
    });
  });
});
