import { describe, expect, it, jest } from "@jest/globals";
import { whenAborted } from "../../src/internal/whenAborted";

describe("whenAborted", () => {
  it("emits once at the abort, or at once after it", () => {
    const controller = new AbortController();
    const seen: string[] = [];
    const aborted$ = whenAborted(controller.signal);
    aborted$.subscribe({ next: () => seen.push("next"), complete: () => seen.push("complete") });
    expect(seen).toEqual([]);
    controller.abort();
    expect(seen).toEqual(["next", "complete"]);
    aborted$.subscribe(() => seen.push("late"));
    expect(seen).toEqual(["next", "complete", "late"]);
  });

  it("never emits without a signal, and leaves no listener behind", () => {
    const { signal } = new AbortController();
    const removed = jest.spyOn(signal, "removeEventListener");
    const next = jest.fn();
    whenAborted(undefined).subscribe(next).unsubscribe();
    whenAborted(signal).subscribe(next).unsubscribe();
    expect(next).not.toHaveBeenCalled();
    expect(removed).toHaveBeenCalledTimes(1);
  });
});
