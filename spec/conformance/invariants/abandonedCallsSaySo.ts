import type { Log } from "../log";
import { runsOf, WITNESS } from "./run";
import { toolCallIdIn } from "./shape";

interface Shown {
  isError: boolean;
  result: { content?: { text?: string }[] };
}

/** A call that ends before its tool has settled was left behind by an abort, and its result is an error that says so. */
export function abandonedCallsSaySo(log: Log): string | undefined {
  for (const { entries } of runsOf(log)) {
    const running = new Map<string, number>();
    for (const entry of entries) {
      if (entry.kind === "tool")
        running.set(entry.call, (running.get(entry.call) ?? 0) + (entry.phase === "starts" ? 1 : -1));
      if (entry.kind !== "event" || entry.listener !== WITNESS || entry.type !== "tool_execution_end")
        continue;
      const id = toolCallIdIn(entry) ?? "";
      // Of calls that share an id, this says nothing.
      if ((running.get(id) ?? 0) !== 1 || id === "twin") continue;
      const { isError, result } = entry.event as unknown as Shown;
      const text = result.content?.[0]?.text;
      if (!isError || text !== "Operation aborted")
        return `${id} ended at ${entry.at} before its tool, with ${text}`;
      running.delete(id);
    }
  }
  return undefined;
}
