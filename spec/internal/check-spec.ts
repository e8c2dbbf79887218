import { describe, expect, it } from "@jest/globals";
import { check } from "../../src/internal/check";
import { tool, user } from "../support/fixtures";

const cases: [string, () => void, string][] = [
  ["an object", () => check.object("config", "x"), 'config: expected an object, got "x"'],
  ["null", () => check.object("config", null), "config: expected an object, got null"],
  [
    "a hook",
    () => check.functions("operators.", { response: 1 }, ["response"]),
    "operators.response: expected a function, got 1",
  ],
  ["tools", () => check.tools("tools", {}), "tools: expected an array of tools, got an object"],
  ["a tool", () => check.tools("tools", [tool(), 1]), "tools[1]: expected a tool, got 1"],
  ["a tool's name", () => check.tools("tools", [tool("")]), 'tools[0].name: expected a name, got ""'],
  [
    "a tool's parameters",
    () => check.tools("tools", [tool("a", undefined, { parameters: undefined as never })]),
    "tools[0].parameters: expected a JSON Schema object, got undefined",
  ],
  [
    "a tool's execute",
    () => check.tools("tools", [tool(), tool(), { ...tool(), execute: [] }]),
    "tools[2].execute: expected a function, got an array",
  ],
  ["messages", () => check.messages("prompts", "hi"), 'prompts: expected an array of messages, got "hi"'],
  [
    "one message of many",
    () => check.messages("prompts", [user("a"), {}]),
    "prompts[1]: expected a message with a role, got an object",
  ],
  ["a message", () => check.message("message", null), "message: expected a message with a role, got null"],
  [
    "a choice",
    () => check.oneOf("toolExecution", "both", ["parallel", "sequential"]),
    'toolExecution: expected "parallel" or "sequential", got "both"',
  ],
  [
    "ms",
    () => check.ms("abortGraceMs", -1),
    "abortGraceMs: expected a number of ms from 0 to 2147483647, got -1",
  ],
  ["ms that no timer can wait", () => check.ms("abortGraceMs", 2 ** 31), "got 2147483648"],
  ["ms that are no number", () => check.ms("abortGraceMs", NaN), "got NaN"],
  ["a limit", () => check.limit("toolConcurrency", 0), "toolConcurrency: expected an integer ≥ 1, got 0"],
  ["a broken limit", () => check.limit("toolConcurrency", 1.5), "got 1.5"],
];

describe("check", () => {
  it.each(cases)("refuses %s by name", (_, run, message) => {
    expect(run).toThrow(TypeError);
    expect(run).toThrow(message);
  });

  it("accepts what fits, and what is left out", () => {
    check.object("config", {});
    check.functions("", { hook: () => {}, other: undefined, none: null }, [
      "hook",
      "other",
      "none",
      "missing",
    ]);
    check.tools("tools", [tool()]);
    check.messages("prompts", [user("a")]);
    check.oneOf("mode", undefined, ["all"], true);
    check.oneOf("mode", "all", ["all"]);
    check.ms("ms", undefined);
    check.ms("ms", 0);
    check.limit("limit", undefined);
    expect(() => check.limit("limit", 1)).not.toThrow();
  });
});
