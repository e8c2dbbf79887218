import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { RetryOptions } from "./RetryOptions";

/** Checks what both retries take. */
export function checkRetry({ attempts, backoff, maxDelay, jitter, random }: RetryOptions): void {
  check.limit("attempts", attempts);
  if (typeof backoff !== "function") check.ms("backoff", backoff);
  check.ms("maxDelay", maxDelay);
  if (jitter !== undefined && !(jitter >= 0 && jitter <= 1))
    throw expected("jitter", "a share from 0 to 1", jitter);
  check.functions("", { random }, ["random"]);
}
