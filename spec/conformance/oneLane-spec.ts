import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { overlappingScript } from "./arbitraries/overlappingScripts";
import { firstGap } from "./compare";
import { differences } from "./differences";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { oneEventAtATime } from "./invariants/oneEventAtATime";
import { entriesOf, type EventEntry, type Log, type Plain } from "./log";
import { holds } from "./property";
import { Oracle, Ours } from "./sides";

/** Neither a time nor what is measured or stamped with one. */
function timeless(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(timeless);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "timestamp" && key !== "durationMs");
  return Object.fromEntries(kept.map(([key, field]) => [key, timeless(field)]));
}

/** The executions of each call in their own order, and everything else in one. */
function strands(log: Log): Record<string, Plain[]> {
  const told: Record<string, Plain[]> = {};
  const strandOf = ({ listener, event }: EventEntry) => {
    const { toolCallId } = event as { toolCallId?: string };
    return `listener ${listener} ${toolCallId ?? ""}`;
  };
  for (const entry of entriesOf(log, "event")) (told[strandOf(entry)] ??= []).push(timeless(entry.event));
  told.requests = entriesOf(log, "request").map(({ messages }) => timeless(messages));
  told.final = entriesOf(log, "final").map(({ transcript }) => timeless(transcript));
  return told;
}

describe("slow listeners of concurrent tools", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("never overlap, and see what pi's listeners see of each call, where theirs overlap", async () => {
    await holds(100, overlappingScript, async (script) => {
      const known = differences.filter(({ concerns }) => concerns(script));
      const [pi, ours] = [
        await drive(Oracle, script, { exact: true }),
        await drive(Ours, script, { exact: true }),
      ];
      const expected = strands(known.reduce((log, difference) => difference.pi(log), pi));
      const actual = strands(known.reduce((log, difference) => difference.ours(log), ours));
      const gap = firstGap(expected, actual);
      return oneEventAtATime(ours) ?? (gap && `${gap.path}: ${JSON.stringify([gap.expected, gap.actual])}`);
    });
  }, 120_000);

  it("do overlap in pi, so that there is a difference to state", async () => {
    const overlaps = holds(
      150,
      overlappingScript,
      async (script) => oneEventAtATime(await drive(Oracle, script, { exact: true })),
      { seed: 1 },
    );
    await expect(overlaps).rejects.toThrow("was not done");
  }, 120_000);
});
