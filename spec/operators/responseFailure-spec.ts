import { describe, expect, it } from "@jest/globals";
import { responseFailure } from "../../src/operators/responseFailure";
import { assistant } from "../support/fixtures";
import { request } from "./support/policies";

describe("responseFailure", () => {
  it("is the error event of the request's model, with a copy of what had streamed", () => {
    const partial = assistant("a");
    const { error, ...event } = responseFailure(request(), "too late", partial);
    expect(event).toEqual({ type: "error", reason: "error" });
    expect(error).toEqual({ ...partial, stopReason: "error", errorMessage: "too late" });
    expect(error.content).not.toBe(partial.content);
    expect(responseFailure(request(), "no").error).toMatchObject({ model: "small", stopReason: "error" });
  });
});
