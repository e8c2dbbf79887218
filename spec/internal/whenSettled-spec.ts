import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, of, throwError, timer } from "rxjs";
import { whenSettled } from "../../src/internal/whenSettled";
import { nothingStray, settled } from "../support/nothingStray";
import { virtually } from "../support/virtually";

const asked = (output: unknown) => {
  const [passed, failed] = [jest.fn(), jest.fn()];
  whenSettled(output, passed, failed);
  return { passed, failed };
};

describe("whenSettled", () => {
  nothingStray();

  it("calls back at once for a plain value", () => {
    for (const value of [undefined, null, 1, "text", { then: true }, [1]]) {
      const { passed, failed } = asked(value);
      expect([passed.mock.calls, failed.mock.calls]).toEqual([[[value]], []]);
    }
  });

  it("calls back with what a promise brought, or failed with", async () => {
    const [kept, broken] = [asked(Promise.resolve("kept")), asked(Promise.reject(new Error("broken")))];
    expect(kept.passed).not.toHaveBeenCalled();
    await settled();
    expect(kept.passed.mock.calls).toEqual([["kept"]]);
    expect(broken.failed.mock.calls).toEqual([[new Error("broken")]]);
    expect(broken.passed).not.toHaveBeenCalled();
  });

  it("calls back once, though a thenable calls twice", () => {
    const then = (settle: (value: unknown) => void) => (settle("one"), settle("two"));
    expect(asked({ then }).passed.mock.calls).toEqual([["one"]]);
  });

  it("waits for an observable to its completion", () => {
    virtually(({ flush }) => {
      const [late, none, both, broken] = [timer(5), EMPTY, of(1, 2), throwError(() => "broken")].map(asked);
      expect(late!.passed).not.toHaveBeenCalled();
      flush();
      expect([late, none, both].map((one) => one!.passed.mock.calls)).toEqual([[[0]], [[undefined]], [[2]]]);
      expect(broken!.failed.mock.calls).toEqual([["broken"]]);
    });
  });
});
