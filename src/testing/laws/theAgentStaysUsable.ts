import type { Law } from "./Law";

/** I9, by the agent's state when it has come to rest. */
export const theAgentStaysUsable: Law = {
  name: "I9",
  says: "A run leaves the agent usable, however it ended.",
  watch: () => ({
    see(entry) {
      if (entry.kind !== "rest") return undefined;
      if (entry.streaming) return "a message still streams while the agent is at rest";
      return entry.pendingToolCalls > 0
        ? `${entry.pendingToolCalls} tool calls pend while the agent is at rest`
        : undefined;
    },
  }),
};
