import type { Law } from "./Law";

/** I2, by the events of a run. */
export const everyRunStartsAndEndsOnce: Law = {
  name: "I2",
  says: "A run tells exactly one agent_start and one agent_end, and nothing after it.",
  watch() {
    let running = false;
    let last: string | undefined;
    return {
      see(entry) {
        if (entry.kind !== "event") return undefined;
        const { type } = entry.event;
        const before = last;
        last = type;
        if (type === "agent_start") {
          const complaint = running ? "agent_start inside a run" : undefined;
          running = true;
          return complaint;
        }
        if (!running) return before === type ? `${type} told twice` : `${type} outside a run`;
        if (type === "agent_end") running = false;
        return undefined;
      },
    };
  },
};
