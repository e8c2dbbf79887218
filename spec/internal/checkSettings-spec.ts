import { describe, expect, it } from "@jest/globals";
import { checkSettings } from "../../src/internal/checkSettings";

const hooks = [
  "convertToLlm",
  "transformContext",
  "getApiKey",
  "beforeToolCall",
  "afterToolCall",
  "finishTurn",
  "prepareRequest",
  "prepareNextTurn",
  "prepareNextTurnWithContext",
  "getSteeringMessages",
  "getFollowUpMessages",
  "onPayload",
  "onResponse",
];

describe("checkSettings", () => {
  it.each(hooks)("refuses a %s that is no function", (name) => {
    expect(() => checkSettings({ [name]: "x" })).toThrow(`${name}: expected a function, got "x"`);
    expect(() => checkSettings({ [name]: () => {} })).not.toThrow();
  });

  it.each([
    [{ toolExecution: "both" }, 'toolExecution: expected "parallel" or "sequential", got "both"'],
    [{ toolConcurrency: 0 }, "toolConcurrency: expected an integer ≥ 1, got 0"],
    [{ abortGraceMs: "2s" }, 'abortGraceMs: expected a number of ms from 0 to 2147483647, got "2s"'],
    [{ operators: 1 }, "operators: expected an object, got 1"],
    [{ operators: { context: 1 } }, "operators.context: expected a function, got 1"],
    [{ operators: { response: {} } }, "operators.response: expected a function, got an object"],
    [{ operators: { toolCall: [] } }, "operators.toolCall: expected a function, got an array"],
  ])("refuses %j", (settings, message) => {
    expect(() => checkSettings(settings)).toThrow(message);
  });

  it("accepts nothing at all, and all at once", () => {
    checkSettings({});
    const operators = { context: () => {}, response: () => {}, toolCall: () => {} };
    const all = { toolExecution: "parallel", toolConcurrency: 3, abortGraceMs: 0, operators };
    expect(() => checkSettings(all)).not.toThrow();
  });
});
