import type { ConversationItem } from "./ConversationView";

function isSame(one: object, two: object): boolean {
  const entries = Object.entries(one);
  const fields = two as Record<string, unknown>;
  return entries.length === Object.keys(two).length && entries.every(([key, value]) => fields[key] === value);
}

/** The new items, each with its old identity when nothing in it changed; the old list when nothing changed at all. */
export function shareItems(
  before: readonly ConversationItem[],
  after: readonly ConversationItem[],
): readonly ConversationItem[] {
  const known = new Map(before.map((item) => [item.id, item]));
  const items = after.map((item) => {
    const old = known.get(item.id);
    return old && isSame(old, item) ? old : item;
  });
  return items.length === before.length && items.every((item, index) => item === before[index])
    ? before
    : items;
}
