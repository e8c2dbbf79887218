import type { AgentMessage } from "../../types/messages";
import { brief } from "./brief";
import type { Law } from "./Law";

function keyOf(message: AgentMessage): string {
  const { role, timestamp, toolCallId } = brief(message);
  return [role, timestamp, toolCallId].join(" ");
}

/** I6, as far as events show it: what `agent_end` says was added was committed, once each, in that order. */
export const messagesAreInOnePlace: Law = {
  name: "I6",
  says: "A message is in exactly one place, and order is kept.",
  watch() {
    let committed: string[] = [];
    return {
      see(entry) {
        if (entry.kind !== "event") return undefined;
        const { event } = entry;
        if (event.type === "agent_start") committed = [];
        if (event.type === "message_end") committed.push(keyOf(event.message));
        if (event.type !== "agent_end") return undefined;
        let from = 0;
        for (const message of event.messages) {
          const at = committed.indexOf(keyOf(message), from);
          if (at < 0)
            return `agent_end holds a ${message.role} message that was not committed once, in this order`;
          from = at + 1;
        }
        return undefined;
      },
    };
  },
};
