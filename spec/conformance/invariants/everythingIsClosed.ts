import type { EventEntry, Log } from "../log";
import { runsOf } from "./run";
import { brief, toolCallIdIn } from "./shape";

function step(running: Map<string, number>, entry: EventEntry): string | undefined {
  const id = toolCallIdIn(entry) ?? "";
  const count = running.get(id) ?? 0;
  if (entry.type === "tool_execution_start") running.set(id, count + 1);
  else if (count === 0) return `${brief(entry)} of ${id}, which does not run`;
  if (entry.type === "tool_execution_end") running.set(id, count - 1);
  return undefined;
}

/** Messages and tool executions are begun and ended in pairs; a message never begins inside another. */
export function everythingIsClosed(log: Log): string | undefined {
  for (const { events } of runsOf(log)) {
    let open = false;
    const running = new Map<string, number>();
    for (const entry of events) {
      if (entry.type.startsWith("tool_execution")) {
        const complaint = step(running, entry);
        if (complaint) return complaint;
      }
      if (entry.type === "message_start" && open) return `${brief(entry)} inside another message`;
      if (entry.type === "message_end" && !open) return `${brief(entry)} of a message that never began`;
      if (entry.type === "message_update" && !open) return `${brief(entry)} outside a message`;
      if (entry.type === "message_start") open = true;
      if (entry.type === "message_end") open = false;
      const busy = [...running.values()].some((count) => count > 0);
      if (entry.type === "agent_end" && (open || busy))
        return `the run ended at ${entry.at} with something open`;
    }
  }
  return undefined;
}
