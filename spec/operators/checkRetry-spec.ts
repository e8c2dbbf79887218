import { describe, expect, it } from "@jest/globals";
import { retryResponse, retryTool, type RetryOptions } from "pi-agent-rx/operators";

describe("checkRetry", () => {
  it.each<[RetryOptions, string]>([
    [{ attempts: 1.5 }, "attempts: expected an integer ≥ 1, got 1.5"],
    [{ backoff: -1 }, "backoff: expected a number of ms from 0 to 2147483647, got -1"],
    [{ backoff: "1s" as never }, 'backoff: expected a number of ms from 0 to 2147483647, got "1s"'],
    [{ maxDelay: NaN }, "maxDelay: expected a number of ms from 0 to 2147483647, got NaN"],
    [{ jitter: 2 }, "jitter: expected a share from 0 to 1, got 2"],
    [{ random: 1 as never }, "random: expected a function, got 1"],
  ])("refuses %p, for responses and for tools", (options, message) => {
    expect(() => retryResponse(options)).toThrow(message);
    expect(() => retryTool(options)).toThrow(message);
  });

  it("takes what fits", () => {
    const options = { attempts: 1, backoff: () => 0, maxDelay: 0, jitter: 1, random: () => 0 };
    expect(() => [retryResponse(options), retryTool(options), retryTool({ backoff: 0 })]).not.toThrow();
  });
});
