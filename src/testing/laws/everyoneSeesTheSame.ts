import type { Law } from "./Law";

/** I7, by what a listener and an observer of the recorded agent saw. */
export const everyoneSeesTheSame: Law = {
  name: "I7",
  says: "Every listener and every observer sees the same events in the same order.",
  watch() {
    let told = 0;
    let seen = 0;
    return {
      see(entry) {
        if (entry.kind === "event") told++;
        if (entry.kind !== "observed") return undefined;
        const { event } = entry;
        if (event !== seen) return `an observer saw event ${event} when event ${seen} was due`;
        return ++seen > told ? `an observer saw event ${event} before the listeners` : undefined;
      },
    };
  },
};
