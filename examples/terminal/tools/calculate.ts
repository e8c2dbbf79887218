import { obj, str } from "@earendil-works/pi-schema";
import type { ReactiveTool } from "pi-agent-rx";
import { evaluate } from "./evaluate";
import { textResult } from "./textResult";

const parameters = obj({
  expression: str({ minLength: 1, description: "For example 12*(3+4), sqrt(2)^3 or 15/100*80" }),
});

/** The calculator. It is as plain as a tool can be: no promise, just a result. */
export const calculate = (): ReactiveTool<typeof parameters> => ({
  name: "calculate",
  label: "Calculate",
  description:
    "Evaluates an arithmetic expression: + - * / % ^, brackets, sqrt, abs, round, floor, ceil, min, max, ln, log10, sin, cos, tan, pi, e.",
  parameters,
  // Fifteen digits are what a double is sure of: 0.1 + 0.2 is 0.3.
  execute: (_id, { expression }) => textResult(String(Number(evaluate(expression).toPrecision(15)))),
});
