import { describe, expect, it } from "@jest/globals";
import { callEvent } from "../../../src/stages/tools/callEvent";
import { call, output } from "../../support/fixtures";

const toolCall = call("1", "read", { path: "x" });
const named = { toolCallId: "1", toolName: "read" };
const result = output("text");

describe("callEvent", () => {
  it("names the call in each event", () => {
    const args = { path: "x" };
    expect(callEvent.start(toolCall)).toEqual({ type: "tool_execution_start", ...named, args });
    expect(callEvent.update(toolCall, result)).toEqual({
      type: "tool_execution_update",
      ...named,
      args,
      partialResult: result,
    });
    expect(callEvent.end({ toolCall, result, isError: false, durationMs: 3 })).toEqual({
      type: "tool_execution_end",
      ...named,
      result,
      isError: false,
      durationMs: 3,
    });
  });

  it("leaves the duration out of the end of a call that did not run", () => {
    expect(callEvent.end({ toolCall, result, isError: true })).not.toHaveProperty("durationMs");
  });
});
