import type { RetryOptions } from "./RetryOptions";

/** How long to wait when so many attempts have failed, in ms. */
export function retryDelay(
  failed: number,
  { backoff = 1000, maxDelay = 60_000, jitter = 0.25, random = Math.random }: RetryOptions,
): number {
  const delay = typeof backoff === "function" ? backoff(failed) : backoff * 2 ** (failed - 1);
  return Math.min(delay, maxDelay) * (1 - jitter * random());
}
