import { describe, expect, it } from "@jest/globals";
import { expected } from "../../src/internal/expected";

describe("expected", () => {
  it.each([
    ["text", '"text"'],
    [3, "3"],
    [undefined, "undefined"],
    [null, "null"],
    [{}, "an object"],
    [[1], "an array"],
    [() => {}, "a function"],
    [Symbol("s"), "Symbol(s)"],
    [5n, "5"],
    [false, "false"],
  ])("names the part, what was due and what came: %p", (got, shown) => {
    const error = expected("part", "a fish", got);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`part: expected a fish, got ${shown}`);
  });
});
