import { describe, expect, it } from "@jest/globals";
import { take } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { linger } from "../../src/proxy/linger";

const run = (test: Parameters<TestScheduler["run"]>[0]) =>
  new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(test);

describe("linger", () => {
  it("passes everything on", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("  -a-b-|");
      expectObservable(source$.pipe(linger(9))).toBe("-a-b-|");
      expectSubscriptions(source$.subscriptions).toBe("^----!");
    });
  });

  it("passes an error on", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("  -a-#");
      expectObservable(source$.pipe(linger(9))).toBe("-a-#");
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });

  it("lets the source end by itself after its subscriber has left", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("           -a-b---|");
      const expected = "               -(a|)";
      expectObservable(source$.pipe(linger(9), take(1))).toBe(expected);
      expectSubscriptions(source$.subscriptions).toBe("^------!");
    });
  });

  it("takes an error of its source for an end then", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("           -a-b---#");
      expectObservable(source$.pipe(linger(9), take(1))).toBe("-(a|)");
      expectSubscriptions(source$.subscriptions).toBe("^------!");
    });
  });

  it("leaves a source that does not end", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("           -a-b-c-d-e");
      expectObservable(source$.pipe(linger(4), take(1))).toBe("-(a|)");
      expectSubscriptions(source$.subscriptions).toBe("^----!");
    });
  });

  it("leaves at once when the signal is aborted", () => {
    run(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("           -a-b-c");
      expectObservable(source$.pipe(linger(4, AbortSignal.abort()), take(1))).toBe("-(a|)");
      expectSubscriptions(source$.subscriptions).toBe("^!");
    });
  });
});
