import { map, type MonoTypeOperatorFunction } from "rxjs";
import type { AgentMessage } from "../types/messages";
import { oldTurns, type OldTurnsOptions } from "./oldTurns";
import { outline } from "./outline";

/** Which turns an operator rewrites. */
export interface RewriteOldOptions extends OldTurnsOptions {
  /**
   * The newest turns that stay as they are, the current one counted.
   *
   * @defaultValue 1
   */
  olderThanTurns?: number;
}

/**
 * Rewrites the messages of old turns one by one; `undefined` leaves a message out.
 *
 * @remarks A message is rewritten once: later requests get the same copy.
 */
export function rewriteOld(
  name: string,
  { olderThanTurns = 1, step }: RewriteOldOptions,
  rewrite: (message: AgentMessage) => AgentMessage | undefined,
): MonoTypeOperatorFunction<AgentMessage[]> {
  const countOld = oldTurns(`${name}: olderThanTurns`, olderThanTurns, { step });
  const copies = new WeakMap<AgentMessage, AgentMessage[]>();
  const copyOf = (message: AgentMessage) => {
    const known = copies.get(message);
    if (known) return known;
    const copy = rewrite(message);
    const kept = copy ? [copy] : [];
    copies.set(message, kept);
    return kept;
  };
  return map((messages) => {
    const { units, turns } = outline(messages);
    const old = countOld(turns);
    if (old === 0 && olderThanTurns > 0) return messages;
    const isOld = new Set(
      units
        .filter(({ isPinned, turn }) => !isPinned && (turn < old || olderThanTurns === 0))
        .flatMap(({ indexes }) => indexes),
    );
    return messages.flatMap((message, index) => (isOld.has(index) ? copyOf(message) : [message]));
  });
}
