import { describe, it } from "@jest/globals";
import { timer } from "rxjs";
import { endedByAbort } from "../../src/internal/endedByAbort";
import { runControl } from "../../src/internal/runControl";
import { virtually } from "../support/virtually";

/** A control that is aborted at `at`. */
function abortedAt(at: number) {
  const control = runControl();
  timer(at).subscribe(() => control.abort());
  return control;
}

describe("endedByAbort", () => {
  it("passes everything, an error too, while the signal is open", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("a-b|").pipe(endedByAbort(runControl()))).toBe("a-b|");
      expectObservable(cold("a-#").pipe(endedByAbort(runControl()))).toBe("a-#");
      expectObservable(cold("a-#").pipe(endedByAbort(abortedAt(3)))).toBe("a-#");
    });
  });

  it("takes an error after the abort for the end", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("a-#").pipe(endedByAbort(abortedAt(1)))).toBe("a-|");
    });
  });

  it("passes what comes after the abort", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("a-b-c|").pipe(endedByAbort(abortedAt(1)))).toBe("a-b-c|");
    });
  });

  it("leaves the source when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("a----b|");
      expectObservable(source$.pipe(endedByAbort(runControl())), "^--!").toBe("a---");
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });
});
