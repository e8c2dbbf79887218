import type { PiRecord } from "./records";
import type { Observed } from "./scenarios";

/** Something that this library does otherwise than pi's core, on purpose; README.md, "Coming from pi-agent-core". */
export interface Difference {
  name: string;
  /** Who has something that the other has not. */
  who: "stock" | "ours";
  /** Whether this is it. */
  is: (value: PiRecord, next?: PiRecord) => boolean;
  /** What stands in its place; nothing when it goes. */
  without?: (value: PiRecord) => PiRecord;
}

const isEmptyAborted = (message: unknown): boolean => {
  const { role, stopReason, content } = (message ?? {}) as Record<string, unknown>;
  return role === "assistant" && stopReason === "aborted" && Array.isArray(content) && content.length === 0;
};

/** All that may differ. */
export const differences: Difference[] = [
  {
    name: "agent_end says how the run ended",
    who: "ours",
    is: ({ type, outcome }) => type === "agent_end" && outcome !== undefined,
    without: ({ outcome: _outcome, reason: _reason, ...event }) => event,
  },
  {
    name: "after an abort among tools pi begins one more turn, with an empty message",
    who: "stock",
    is: (value, next) =>
      isEmptyAborted(value) ||
      isEmptyAborted(value["message"]) ||
      (value.type === "turn_start" && isEmptyAborted(next?.["message"])),
  },
];

/** What is left without a difference, and how often it was met. */
export function withoutDifference(observed: Observed, { is, without }: Difference) {
  let met = 0;
  const clear = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.flatMap((item: PiRecord, index) => {
        const found = item !== null && typeof item === "object" && is(item, value[index + 1] as PiRecord);
        if (found) met++;
        if (found && !without) return [];
        return [clear(found ? without!(item) : item)];
      });
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clear(field)]));
  };
  return { rest: clear(observed) as Observed, met };
}
