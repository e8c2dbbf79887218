import type { AgentEvent } from "../../types/event";
import { brief } from "./brief";
import type { Law } from "./Law";

/** I4, by requests after a recorded abort, and by turns after a turn that was aborted or failed. */
export const nothingStartsAfterAnAbort: Law = {
  name: "I4",
  says: "No request and no turn begins after an abort.",
  watch() {
    let aborted = false;
    let ended = false;
    const event = ({ type, ...fields }: AgentEvent) => {
      if (type === "agent_start") aborted = ended = false;
      if (type === "turn_start" && ended) return "turn_start after a turn that was aborted or failed";
      if (type === "turn_end" && "message" in fields) ended = brief(fields.message).dead;
      return undefined;
    };
    return {
      see(entry) {
        if (entry.kind === "abort") aborted = true;
        if (entry.kind === "request" && aborted) return `request ${entry.request.number} after an abort`;
        return entry.kind === "event" ? event(entry.event) : undefined;
      },
    };
  },
};
