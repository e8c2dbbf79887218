import { describe, expect, it } from "@jest/globals";
import { finalMessage } from "../../src/internal/finalMessage";
import { assistant } from "../support/fixtures";
import { delta, start, terminal } from "../support/providerEvents";

describe("finalMessage", () => {
  it("is what a done or an error event brings", () => {
    const [done, failed] = [assistant("a"), assistant("", { stopReason: "error" })];
    expect(finalMessage(terminal(done))).toBe(done);
    expect(finalMessage(terminal(failed))).toBe(failed);
  });

  it("is nothing for any other event", () => {
    expect([start(), delta("a")].map(finalMessage)).toEqual([undefined, undefined]);
  });
});
