import type { MonoTypeOperatorFunction } from "rxjs";

/**
 * Makes one policy of several, of those for `operators.response` or of those for `operators.toolCall`.
 *
 * @remarks In the order of `pipe`: the first is innermost, next to the provider or the tool; each one wraps those before it.
 *
 * ```text
 * composePolicies(idleTimeout(…), rateLimit(…), retryResponse(…), fallbackTo(…), totalTimeout(…))
 *
 * provider ─► idleTimeout ─► rateLimit ─► retryResponse ─► fallbackTo ─► totalTimeout ─► agent
 *             each attempt   each waits   asks again       when all      over all
 *                            its turn                      failed        of it
 *
 * composePolicies(toolTimeout(…), retryTool(…), memoizeTool(…), approval(…))
 *
 * tool ─► toolTimeout ─► retryTool ─► memoizeTool ─► approval ─► agent
 *         each attempt   runs again   keeps what     asks first, so nothing
 *                                     came of it     runs, or waits, unasked
 * ```
 *
 * @example
 * ```ts
 * const response = composePolicies(idleTimeout(30_000), retryResponse({ attempts: 3 }), totalTimeout(300_000));
 * const robust = new Agent({ initialState: { model }, streamFn, operators: { response } });
 * await robust.prompt("Hello");
 * ```
 */
export function composePolicies<TSubject, TValue>(
  ...policies: ((subject: TSubject) => MonoTypeOperatorFunction<TValue>)[]
): (subject: TSubject) => MonoTypeOperatorFunction<TValue> {
  return (subject) => {
    const operators = policies.map((policy) => policy(subject));
    return (source$) => operators.reduce((wrapped$, operator) => operator(wrapped$), source$);
  };
}
