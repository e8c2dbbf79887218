import { describe, expect, it } from "@jest/globals";
import { errorResult } from "../../../src/stages/tools/errorResult";

describe("errorResult", () => {
  it("holds the text, a new object each time", () => {
    expect(errorResult("no")).toEqual({ content: [{ type: "text", text: "no" }], details: {} });
    expect(errorResult("no").details).not.toBe(errorResult("no").details);
  });
});
