import { describe, expect, it } from "@jest/globals";
import { timer } from "rxjs";
import { runControl } from "../../src/internal/runControl";
import { virtually } from "../support/virtually";

describe("runControl", () => {
  it("starts with an open signal and a deadline that does not come", () => {
    virtually(({ expectObservable }) => {
      const control = runControl(5);
      expect(control.signal.aborted).toBe(false);
      expectObservable(control.deadline$).toBe("------");
    });
  });

  it("aborts the signal with the first reason", () => {
    const control = runControl();
    control.abort("first");
    control.abort("second");
    expect(control.signal.reason).toBe("first");
  });

  it("gives an AbortError as the reason when there is none", () => {
    const control = runControl();
    control.abort();
    expect(control.signal.reason).toMatchObject({ name: "AbortError" });
  });

  it("counts the grace from the abort, whoever looks when", () => {
    virtually(({ expectObservable }) => {
      const control = runControl(5);
      timer(2).subscribe(() => control.abort());
      timer(4).subscribe(() => control.abort());
      expectObservable(control.deadline$).toBe("       -------(x|)", { x: 0 });
      expectObservable(control.deadline$, "----^").toBe("-------(x|)", { x: 0 });
    });
  });

  it("is past its deadline for those who come later", () => {
    virtually(({ expectObservable }) => {
      const control = runControl(3);
      control.abort();
      expectObservable(control.deadline$, "-----^").toBe("-----(x|)", { x: 0 });
    });
  });

  it("grants 2,000 ms when not told otherwise, and none when told 0", () => {
    virtually(({ expectObservable }) => {
      const usual = runControl();
      const none = runControl(0);
      usual.abort();
      none.abort();
      expectObservable(usual.deadline$).toBe("2s (x|)", { x: 0 });
      expectObservable(none.deadline$).toBe("(x|)", { x: 0 });
    });
  });
});
