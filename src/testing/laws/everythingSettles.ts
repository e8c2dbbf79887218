import type { Law } from "./Law";

/** I3, as far as a stream of events shows it: a run that began has ended when nothing more comes. */
export const everythingSettles: Law = {
  name: "I3",
  says: "A run that began comes to its end.",
  watch() {
    let running = false;
    return {
      see(entry) {
        if (entry.kind !== "event") return undefined;
        if (entry.event.type === "agent_start") running = true;
        if (entry.event.type === "agent_end") running = false;
        return undefined;
      },
      end: () => (running ? "the run never ended" : undefined),
    };
  },
};
