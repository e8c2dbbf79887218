import type { Law } from "./Law";

/** I8, by what was found to have changed. */
export const shownThingsStay: Law = {
  name: "I8",
  says: "The top-level fields of an event and of its message do not change after it was shown.",
  watch: () => ({
    see: (entry) => (entry.kind === "changed" ? `${entry.what} changed after it was shown` : undefined),
  }),
};
