import { describe, expect, it } from "@jest/globals";
import { isThenable } from "../../src/internal/isThenable";

describe("isThenable", () => {
  it("knows promises and what walks like one", () => {
    expect(isThenable(Promise.resolve())).toBe(true);
    expect(isThenable({ then: () => {} })).toBe(true);
  });

  it.each([[undefined], [null], [1], ["then"], [{}], [{ then: 1 }], [() => {}]])(
    "knows %p is none",
    (value) => {
      expect(isThenable(value)).toBe(false);
    },
  );
});
