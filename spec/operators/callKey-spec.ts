import { describe, expect, it } from "@jest/globals";
import { callKey } from "../../src/operators/callKey";

describe("callKey", () => {
  it("is the same for the same arguments in another order, at any depth", () => {
    expect(callKey("read", { a: 1, b: { c: [1, 2], d: 2 } })).toBe(
      callKey("read", { b: { d: 2, c: [1, 2] }, a: 1 }),
    );
  });

  it("tells tools, values and the order of lists apart", () => {
    const keys = [
      callKey("read", { a: [1, 2] }),
      callKey("write", { a: [1, 2] }),
      callKey("read", { a: [2, 1] }),
    ];
    expect(new Set([...keys, callKey("read", null), callKey("read", undefined)]).size).toBe(5);
  });
});
