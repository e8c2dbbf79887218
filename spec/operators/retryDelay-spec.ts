import { describe, expect, it } from "@jest/globals";
import { retryDelay } from "../../src/operators/retryDelay";

describe("retryDelay", () => {
  it("doubles up to the longest wait", () => {
    const options = { backoff: 100, maxDelay: 500, jitter: 0 };
    expect([1, 2, 3, 4].map((failed) => retryDelay(failed, options))).toEqual([100, 200, 400, 500]);
  });

  it("takes the wait from a function", () => {
    expect(retryDelay(3, { backoff: (failed) => failed * 7, jitter: 0 })).toBe(21);
  });

  it("leaves a part to chance", () => {
    expect(retryDelay(1, { backoff: 100, jitter: 0.5, random: () => 0 })).toBe(100);
    expect(retryDelay(1, { backoff: 100, jitter: 0.5, random: () => 1 })).toBe(50);
    const delay = retryDelay(1, {});
    expect(delay).toBeGreaterThanOrEqual(750);
    expect(delay).toBeLessThanOrEqual(1000);
  });
});
