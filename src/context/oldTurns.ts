import { expected } from "../internal/expected";

/** How an operator advances its border between old and new turns. */
export interface OldTurnsOptions {
  /**
   * How many turns the border moves at once. In between the request's beginning stays the same, so that a provider's
   * prompt cache holds.
   *
   * @defaultValue half the turns that count as new, rounded up
   */
  step?: number;
}

/**
 * Counts the turns that are old when `keep` count as new: a multiple of `step`, so that the border stands still between.
 *
 * @remarks Depends on the number of turns alone: no state, and the same for every request that has as many.
 */
export function oldTurns(
  name: string,
  keep: number,
  { step = Math.max(1, Math.ceil(keep / 2)) }: OldTurnsOptions,
): (turns: number) => number {
  if (!Number.isInteger(keep) || keep < 0) throw expected(name, "a whole number of turns", keep);
  if (!Number.isInteger(step) || step < 1) throw expected(`${name}: step`, "an integer ≥ 1", step);
  return (turns) => Math.max(0, Math.floor((turns - keep) / step) * step);
}
