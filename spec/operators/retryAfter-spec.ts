import { describe, expect, it } from "@jest/globals";
import { retryAfter } from "../../src/operators/retryAfter";
import { model } from "../support/fixtures";
import { failed, request } from "./support/policies";

/** What is asked for after an answer with these headers. */
function afterHeaders(headers: Record<string, string>): number | undefined {
  const made = request();
  const asked = retryAfter(made);
  void made.options.onResponse?.({ status: 429, headers }, model);
  return asked(failed("429"));
}

describe("retryAfter", () => {
  it.each([
    ["429 retry-after: 20", 20_000],
    ["rate limited; Retry-After=1.5s", 1500],
    ['{"retry_after": 3, "retry-after": 250ms}', 250],
    ["Server requested 30s retry delay (max: 10s)", 30_000],
    ["503 overloaded", undefined],
  ])("reads the text %p", (text, ms) => {
    expect(retryAfter(request())(failed(text))).toBe(ms);
  });

  it("reads the headers of the last answer, milliseconds first", () => {
    expect(afterHeaders({ "retry-after": "2" })).toBe(2000);
    expect(afterHeaders({ "Retry-After": "2", "retry-after-ms": "150" })).toBe(150);
    expect(afterHeaders({ "retry-after": "nonsense" })).toBeUndefined();
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    expect(afterHeaders({ "retry-after": inAMinute })).toBeGreaterThan(50_000);
    expect(afterHeaders({ "retry-after": new Date(0).toUTCString() })).toBeUndefined();
  });

  it("forgets what it was asked once that was told", () => {
    const made = request();
    const asked = retryAfter(made);
    void made.options.onResponse?.({ status: 429, headers: { "retry-after": "2" } }, model);
    expect(asked(failed("429"))).toBe(2000);
    expect(asked(failed("429"))).toBeUndefined();
  });
});
