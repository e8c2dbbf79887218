import { entriesOf, type Log } from "../log";
import { WITNESS } from "./run";
import { toolCallIdIn } from "./shape";

/** `pendingToolCalls` holds an id from its first start until the last call with it has ended. */
export function pendingCallsAreTrue(log: Log): string | undefined {
  const running = new Map<string, number>();
  for (const entry of entriesOf(log, "event").filter(({ listener }) => listener === WITNESS)) {
    const id = toolCallIdIn(entry);
    const step = entry.type === "tool_execution_start" ? 1 : entry.type === "tool_execution_end" ? -1 : 0;
    if (id !== undefined) running.set(id, (running.get(id) ?? 0) + step);
    const expected = [...running].flatMap(([pending, count]) => (count > 0 ? [pending] : [])).sort();
    if (expected.join() !== entry.state.pending.join()) {
      return `pending [${entry.state.pending}] but running [${expected}], ${entry.type} at ${entry.at}`;
    }
  }
  return undefined;
}
