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

/** What is left of a transcript. */
export interface CutOldestResult {
  stays: ReadonlySet<Unit>;
  tokens: number;
}

// A turn that is over goes as a whole; of the current one, its units after the user message and before the newest.
function droppable(kept: readonly Unit[], newest: Unit): Unit[][] {
  const opening = kept.findLast(({ isUser }) => isUser);
  const groups = new Map<number | Unit, Unit[]>();
  for (const unit of kept) {
    if (unit === newest || unit === opening) continue;
    const key = unit.turn < newest.turn ? unit.turn : unit;
    groups.set(key, [...(groups.get(key) ?? []), unit]);
  }
  return [...groups.values()];
}

/**
 * Drops the oldest units while a transcript is above its budget, down to a low water mark.
 *
 * @remarks Goes through the transcript as it grew and cuts where it grew too large, so what was cut for one request is cut
 * for the next ones too, and no state is kept between them.
 */
export function cutOldest(units: readonly Unit[], options: CutOldestOptions): CutOldestResult {
  const { tokensOf, budget, step } = options;
  const pinned = units.filter(({ isPinned }) => isPinned);
  let kept: Unit[] = [];
  let [tokens, pinnedTokens] = [0, 0];
  const cut = (newest: Unit) => {
    const goal = budget - step * Math.max(0, budget - pinnedTokens);
    const gone = new Set<Unit>();
    for (const group of droppable(kept, newest)) {
      if (tokens <= goal) break;
      for (const unit of group) {
        gone.add(unit);
        tokens -= tokensOf(unit);
      }
    }
    kept = kept.filter((unit) => !gone.has(unit));
  };
  for (const unit of units) {
    tokens += tokensOf(unit);
    if (unit.isPinned) pinnedTokens += tokensOf(unit);
    else kept.push(unit);
    const newest = kept.at(-1);
    if (tokens > budget && newest) cut(newest);
  }
  return { stays: new Set([...pinned, ...kept]), tokens };
}
