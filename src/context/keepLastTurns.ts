import { map, type MonoTypeOperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentMessage } from "../types/messages";
import { keepUnits } from "./keepUnits";
import { oldTurns, type OldTurnsOptions } from "./oldTurns";
import { outline } from "./outline";

/** How {@link keepLastTurns} moves on. */
export type KeepLastTurnsOptions = OldTurnsOptions;

/**
 * Keeps the last `count` turns, a turn being a user message and all that follows it up to the next.
 *
 * @remarks Drops turns in steps: between `count` and `count + step - 1` are left, and the request's beginning changes only
 * once in `step` turns. System messages stay. With `step: 1` it is exactly `count`.
 *
 * @example
 * ```ts
 * const pruned = new Agent({ initialState: { model }, streamFn, operators: { context: keepLastTurns(20) } });
 * ```
 */
export function keepLastTurns(
  count: number,
  options: KeepLastTurnsOptions = {},
): MonoTypeOperatorFunction<AgentMessage[]> {
  if (count < 1) throw expected("keepLastTurns", "an integer ≥ 1", count);
  const countOld = oldTurns("keepLastTurns", count, options);
  return map((messages) => {
    const { units, turns } = outline(messages);
    const old = countOld(turns);
    return keepUnits(messages, units, ({ isPinned, turn }) => isPinned || old === 0 || turn >= old);
  });
}
