import { map, type MonoTypeOperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentMessage } from "../types/messages";
import { budgetOf, type BudgetOptions } from "./budgetOf";
import { cutOldest } from "./cutOldest";
import { keepUnits } from "./keepUnits";
import { outline, type Unit } from "./outline";
import { tokenCounter } from "./tokenCounter";

/** What {@link fitBudget} fits messages into; `budget` or `model` must be there. */
export interface FitBudgetOptions extends BudgetOptions {
  /** Counts a message's tokens; asked once per message. @defaultValue pi-ai's estimate */
  estimate?: (message: AgentMessage) => number;
  /**
   * The share of the budget that a cut frees, from 0 to less than 1. The larger, the rarer a cut, and the longer a
   * provider's prompt cache holds.
   *
   * @defaultValue 0.25
   */
  step?: number;
}

/**
 * Keeps a request within a budget of tokens by dropping what is oldest: whole turns first, then, of the current turn, tool
 * calls together with their results.
 *
 * @remarks System messages, what other operators added, the newest user message, and the newest message or call with its
 * results always stay. When they alone are above the budget, it fails with a `RangeError` that says both numbers. A cut
 * goes below the budget by `step`, so that the request's beginning then stays the same for many requests. Put it last: what
 * other operators save need not be cut.
 *
 * @example
 * ```ts
 * const context = fitBudget({ model });
 * const pruned = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function fitBudget(options: FitBudgetOptions): MonoTypeOperatorFunction<AgentMessage[]> {
  const { estimate, step = 0.25 } = options;
  if (!(step >= 0 && step < 1)) throw expected("fitBudget: step", "a share from 0 to less than 1", step);
  const budgetNow = budgetOf("fitBudget: budget", options);
  const count = tokenCounter(estimate);
  return map((messages) => {
    const budget = budgetNow();
    const tokensOf = ({ indexes }: Unit) => indexes.reduce((sum, index) => sum + count(messages[index]!), 0);
    const { units } = outline(messages);
    const { units: left, tokens } = cutOldest(units, { tokensOf, budget, step });
    if (tokens > budget) {
      const text = `what must stay takes ${tokens} tokens, the budget is ${budget}`;
      throw new RangeError(`fitBudget: ${text}`);
    }
    const stays = new Set(left);
    return keepUnits(messages, units, (unit) => stays.has(unit));
  });
}
