import { describe, expect, it } from "@jest/globals";
import { failedCall } from "../../../src/stages/tools/failedCall";
import { call } from "../../support/fixtures";

describe("failedCall", () => {
  it("is an error outcome of the call, without a duration", () => {
    const toolCall = call("1");
    expect(failedCall(toolCall, "no")).toStrictEqual({
      toolCall,
      result: { content: [{ type: "text", text: "no" }], details: {} },
      isError: true,
    });
  });
});
