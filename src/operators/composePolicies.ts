import type { MonoTypeOperatorFunction } from "rxjs";

/**
 * Makes one policy of several, of those for `operators.response` or of those for `operators.toolCall`.
 *
 * @remarks In the order of `pipe`: the first is innermost, next to the provider or the tool; each one wraps those before it.
 *
 * ```text
 * composePolicies(idleTimeout(…), retryResponse(…), fallbackTo(…), totalTimeout(…))
 *
 * provider ─► idleTimeout ─► retryResponse ─► fallbackTo ─► totalTimeout ─► agent
 *             each attempt   asks again       when all      over all
 *                                             failed        of it
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
