import { describe, expect, it } from "@jest/globals";
import { usageOf } from "../../src/operators/usageOf";
import { assistant, toolResult, user } from "../support/fixtures";

describe("usageOf", () => {
  it("reads responses and tool results, and nothing else", () => {
    const { usage } = assistant("");
    expect(usageOf(assistant(""))).toBe(usage);
    expect(usageOf({ ...toolResult("1"), usage })).toBe(usage);
    expect(usageOf(toolResult("1"))).toBeUndefined();
    expect(usageOf(user("hi"))).toBeUndefined();
  });
});
