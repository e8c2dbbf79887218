import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, NEVER, of, throwError, type Observable } from "rxjs";
import { withSignal } from "../../src/internal/withSignal";
import type { RunControl } from "../../src/types/gate";
import { virtually } from "../support/virtually";

/** Runs `output$` under `outer` and gives the control that it got. */
function started<T>(output$: Observable<T>, outer?: AbortSignal) {
  const run: { control?: RunControl } = {};
  const run$ = withSignal(
    (control) => {
      run.control = control;
      return output$;
    },
    { signal: outer, abortGraceMs: 5 },
  );
  return { run, run$ };
}

describe("withSignal", () => {
  it("is cold: each subscription is a run with a control of its own", () => {
    const run = jest.fn((_control: RunControl) => of(1));
    const run$ = withSignal(run, {});
    expect(run).not.toHaveBeenCalled();
    run$.subscribe();
    run$.subscribe();
    expect(run.mock.calls[0]![0]).not.toBe(run.mock.calls[1]![0]);
  });

  it("passes values, the end and an error", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(withSignal(() => cold("-a-b|"), {})).toBe("-a-b|");
      expectObservable(withSignal(() => cold("-a-#"), {})).toBe("-a-#");
      expectObservable(withSignal(() => EMPTY, {})).toBe("|");
    });
  });

  it("aborts the run with the outer signal's reason, and lets it end by itself", () => {
    const outer = new AbortController();
    const { run, run$ } = started(NEVER, outer.signal);
    const subscription = run$.subscribe();
    outer.abort("enough");
    expect(run.control!.signal.reason).toBe("enough");
    expect(subscription.closed).toBe(false);
    subscription.unsubscribe();
  });

  it("starts aborted under an outer signal that is aborted already", () => {
    const { run, run$ } = started(of(1), AbortSignal.abort("before"));
    run$.subscribe();
    expect(run.control!.signal.reason).toBe("before");
  });

  it("aborts the run when it is left or fails, not when it has ended", () => {
    const left = started(NEVER);
    left.run$.subscribe().unsubscribe();
    expect(left.run.control!.signal.aborted).toBe(true);
    const failed = started(throwError(() => new Error("no")));
    failed.run$.subscribe({ error: () => {} });
    expect(failed.run.control!.signal.aborted).toBe(true);
    const ended = started(of(1));
    ended.run$.subscribe().unsubscribe();
    expect(ended.run.control!.signal.aborted).toBe(false);
  });

  it("passes nothing on to somebody who has left", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(
        withSignal(() => cold("-a-b-c|"), {}),
        "^---!",
      ).toBe("-a-b-");
    });
  });

  it.each([
    ["ends", of(1)],
    ["fails", throwError(() => new Error("no"))],
    ["is left", NEVER],
  ])("takes its listener off the outer signal when the run %s", (_, output$) => {
    const { signal } = new AbortController();
    const add = jest.spyOn(signal, "addEventListener");
    const remove = jest.spyOn(signal, "removeEventListener");
    started<unknown>(output$, signal)
      .run$.subscribe({ error: () => {} })
      .unsubscribe();
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove.mock.calls[0]!.slice(0, 2)).toEqual(add.mock.calls[0]!.slice(0, 2));
  });
});
