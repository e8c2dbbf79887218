import { dropOldest, type KeptUnits } from "./dropOldest";
import type { Unit } from "./outline";

/** The limits of {@link cutOldest}. */
export interface CutOldestOptions {
  /** How many tokens a unit takes. */
  tokensOf: (unit: Unit) => number;
  /** More than this is cut. */
  budget: number;
  /** A cut frees this share of what the budget leaves beside the pinned units. */
  step: number;
}

/**
 * Drops the oldest units while a transcript is above its budget, down to a low water mark.
 *
 * @remarks Goes through the transcript as it grew and cuts where it grew too large, so what was cut for one request is cut
 * for the next ones too, and no state is kept between them.
 */
export function cutOldest(units: readonly Unit[], options: CutOldestOptions): KeptUnits {
  const { tokensOf, budget, step } = options;
  let kept: KeptUnits = { units: [], tokens: 0 };
  let pinned = 0;
  for (const unit of units) {
    kept.units.push(unit);
    kept.tokens += tokensOf(unit);
    if (unit.isPinned) pinned += tokensOf(unit);
    if (kept.tokens <= budget) continue;
    kept = dropOldest(kept, budget - step * Math.max(0, budget - pinned), tokensOf);
  }
  return kept;
}
