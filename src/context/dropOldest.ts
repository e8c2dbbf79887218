import type { Unit } from "./outline";

/** Units, and how many tokens a request of them takes. */
export interface KeptUnits {
  units: Unit[];
  tokens: number;
}

// A turn that is over goes as a whole; of the current one, its units after the user message and before the newest.
function droppable(units: readonly Unit[]): Unit[][] {
  const own = units.filter(({ isPinned }) => !isPinned);
  const newest = own.at(-1);
  const opening = own.findLast(({ isUser }) => isUser);
  const groups = new Map<number | Unit, Unit[]>();
  for (const unit of own) {
    if (unit === newest || unit === opening) continue;
    const key = unit.turn < newest!.turn ? unit.turn : unit;
    const group = groups.get(key);
    if (group) group.push(unit);
    else groups.set(key, [unit]);
  }
  return [...groups.values()];
}

/**
 * Drops the oldest units until the rest takes no more than `goal`, as far as that goes.
 *
 * @remarks Pinned units, the newest user message and the newest unit stay.
 */
export function dropOldest(
  { units, tokens }: KeptUnits,
  goal: number,
  tokensOf: (unit: Unit) => number,
): KeptUnits {
  const gone = new Set<Unit>();
  let left = tokens;
  for (const group of droppable(units)) {
    if (left <= goal) break;
    for (const unit of group) {
      gone.add(unit);
      left -= tokensOf(unit);
    }
  }
  return { units: units.filter((unit) => !gone.has(unit)), tokens: left };
}
