import type { AgentMessage } from "../types/messages";
import type { AgentQueues } from "../types/state";
import type { ConversationItem } from "./ConversationView";

/** Turns queues into items, steering first. A message keeps its item while it waits; one that is queued twice has two. */
export function queuedItems(): (queued: AgentQueues) => ConversationItem[] {
  const known = new WeakMap<AgentMessage, ConversationItem[]>();
  let made = 0;
  return ({ steering, followUp }) => {
    const taken = new Map<AgentMessage, number>();
    return [...steering, ...followUp].map((message) => {
      const nth = taken.get(message) ?? 0;
      taken.set(message, nth + 1);
      const items = known.get(message) ?? [];
      known.set(message, items);
      return (items[nth] ??= { kind: "queued", id: `q${made++}`, message });
    });
  };
}
