import { estimateContextTokens } from "@earendil-works/pi-ai/utils/estimate";
import { concatMap, defer, finalize, takeUntil, tap } from "rxjs";
import { whenAborted } from "../internal/whenAborted";
import type { ModelRequest } from "../types/hooks";
import type { RateBudget } from "./RateBudget";
import type { ResponsePolicy } from "./ResponsePolicy";

/** How {@link rateLimit} expects a request to be. */
export interface RateLimitOptions {
  /** How many tokens a request will use. @defaultValue pi-ai's estimate of its context */
  estimate?: (request: ModelRequest) => number;
}

/**
 * Makes requests wait until the budget allows for them.
 *
 * @remarks For `operators.response`, inside of a retry, so that every attempt counts, and outside of an idle timeout, which
 * would take the wait for silence. What a response used is known when it has ended; until then the estimate is held. An abort
 * ends the wait.
 * @example
 * ```ts
 * const budget = new RateBudget({ requestsPerMinute: 50, tokensPerMinute: 40_000 });
 * const agents = [1, 2].map(
 *   () => new Agent({ initialState: { model }, streamFn, operators: { response: rateLimit(budget) } }),
 * );
 * await Promise.all(agents.map((one) => one.prompt("Hello")));
 * ```
 */
export function rateLimit(
  budget: RateBudget,
  { estimate = ({ context }) => estimateContextTokens(context).tokens }: RateLimitOptions = {},
): ResponsePolicy {
  return (request) => (events$) =>
    defer(() => budget.request(estimate(request))).pipe(
      takeUntil(whenAborted(request.options.signal)),
      concatMap((settle) =>
        events$.pipe(
          tap((event) => {
            if (event.type === "done") settle(event.message.usage.totalTokens);
            if (event.type === "error") settle(event.error.usage.totalTokens);
          }),
          finalize(settle),
        ),
      ),
    );
}
