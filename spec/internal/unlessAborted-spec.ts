import { describe, it } from "@jest/globals";
import { unlessAborted } from "../../src/internal/unlessAborted";
import { virtually } from "../support/virtually";

describe("unlessAborted", () => {
  it("passes everything while the signal is open", () => {
    virtually(({ cold, expectObservable }) => {
      const { signal } = new AbortController();
      expectObservable(cold("a-b|").pipe(unlessAborted({ signal }))).toBe("a-b|");
      expectObservable(cold("a-#").pipe(unlessAborted({ signal }))).toBe("a-#");
    });
  });

  it("completes instead of the first value after the abort, and leaves the source", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const controller = new AbortController();
      const source$ = cold("a---b|");
      cold("--x").subscribe(() => controller.abort());
      expectObservable(source$.pipe(unlessAborted(controller))).toBe("a---|");
      expectSubscriptions(source$.subscriptions).toBe("^---!");
    });
  });
});
