import type { Law } from "./Law";

/** I5, by what the recorder was told of. */
export const nothingEscapes: Law = {
  name: "I5",
  says: "No unhandled rejection and no uncaught exception comes out of the library.",
  watch: () => ({ see: (entry) => (entry.kind === "trouble" ? `${entry.what} escaped` : undefined) }),
};
