import { describe, expect, it } from "@jest/globals";
import { isObject } from "../../src/internal/isObject";

describe("isObject", () => {
  it("knows objects, arrays among them", () => {
    expect([{}, [], new Date()].map(isObject)).toEqual([true, true, true]);
  });

  it.each([[undefined], [null], [1], ["text"], [() => {}]])("knows %p is none", (value) => {
    expect(isObject(value)).toBe(false);
  });
});
