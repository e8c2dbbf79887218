import { concatMap, takeUntil, tap } from "rxjs";
import { whenAborted } from "../internal/whenAborted";
import type { RateBudget } from "./RateBudget";
import type { ResponsePolicy } from "./ResponsePolicy";

/**
 * Makes requests wait until the budget allows for them.
 *
 * @remarks For `operators.response`, innermost, so that every attempt counts. What a response used is known when it has
 * ended, so tokens hold back the requests after it. An abort ends the wait.
 * @example
 * ```ts
 * const budget = new RateBudget({ requestsPerMinute: 50, tokensPerMinute: 40_000 });
 * const agents = [1, 2].map(
 *   () => new Agent({ initialState: { model }, streamFn, operators: { response: rateLimit(budget) } }),
 * );
 * await Promise.all(agents.map((one) => one.prompt("Hello")));
 * ```
 */
export function rateLimit(budget: RateBudget): ResponsePolicy {
  return (request) => (events$) =>
    budget.request().pipe(
      takeUntil(whenAborted(request.options.signal)),
      concatMap(() => events$),
      tap((event) => {
        if (event.type === "done") budget.spend(event.message.usage.totalTokens);
        if (event.type === "error") budget.spend(event.error.usage.totalTokens);
      }),
    );
}
