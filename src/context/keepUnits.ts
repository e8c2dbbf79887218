import type { AgentMessage } from "../types/messages";
import type { Unit } from "./outline";

/** The messages of the units that stay, in the transcript's order; the same array when all of them do. */
export function keepUnits(
  messages: AgentMessage[],
  units: readonly Unit[],
  stays: (unit: Unit) => boolean,
): AgentMessage[] {
  const gone = new Set(units.filter((unit) => !stays(unit)).flatMap(({ indexes }) => indexes));
  return gone.size === 0 ? messages : messages.filter((_message, index) => !gone.has(index));
}
