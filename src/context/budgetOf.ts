import type { Api, Model } from "@earendil-works/pi-ai";
import { expected } from "../internal/expected";

/** Where the most tokens of a request come from. */
export interface BudgetOptions {
  /**
   * The most tokens of a request.
   *
   * @defaultValue what the model's `contextWindow` leaves beside its `maxTokens`, and half of it at least
   */
  budget?: number;
  /** The model whose window counts when there is no `budget`; a function is asked at each request. */
  model?: Model<Api> | (() => Model<Api>);
}

/** The budget of a request, by number or by model; `name` is what the number is called. */
export function budgetOf(name: string, { budget, model }: BudgetOptions): () => number {
  if (budget !== undefined) {
    if (!(budget > 0)) throw expected(name, "a number of tokens", budget);
    return () => budget;
  }
  if (!model) throw expected(name, "a number of tokens, or a model beside it", model);
  return () => {
    const { contextWindow, maxTokens } = typeof model === "function" ? model() : model;
    return Math.max(contextWindow - maxTokens, Math.floor(contextWindow / 2));
  };
}
