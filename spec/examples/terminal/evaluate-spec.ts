import { describe, expect, it } from "@jest/globals";
import { evaluate } from "../../../examples/terminal/tools/evaluate";

describe("evaluate", () => {
  it.each([
    ["12*(3+4)", 84],
    ["2 + 3 * 4 - 10 / 4", 11.5],
    ["-2^2", -4],
    ["2^3^2", 512],
    ["2**10 % 1000", 24],
    ["-(-3)", 3],
    ["2 * -3", -6],
    ["1.5e3 + .5", 1500.5],
    ["max(1, min(5, 3), 2)", 3],
    ["SQRT(16)".toLowerCase(), 4],
    ["round(pi * 100) / 100", 3.14],
    [" 7 ", 7],
  ])("%s is %d", (expression, value) => {
    expect(evaluate(expression)).toBeCloseTo(value, 10);
  });

  it.each([
    ["1/0", "division by zero"],
    ["5 % 0", "division by zero"],
    ["2 +", 'unexpected "the end"'],
    ["(1", 'expected ")", got "the end"'],
    ["1 2", 'unexpected "2"'],
    ["3 +* 4", 'unexpected "*"'],
    ["process.exit()", 'unexpected "."'],
    ["constructor", 'unexpected "constructor"'],
    ["toString()", 'unexpected "toString"'],
    ["sqrt(-1)", "no finite number"],
    ["9^9^9^9", "no finite number"],
    ["", "unexpected"],
    ["1" + "+1".repeat(300), "longer than 500"],
  ])("refuses %j", (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  it("survives as many brackets as fit", () => {
    expect(evaluate(`${"(".repeat(249)}1${")".repeat(249)}`)).toBe(1);
  });
});
