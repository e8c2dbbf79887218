import type { AgentMessage } from "../types/messages";
import { messageLine } from "./messageLine";

/** The last message of a request in one short line, for an error. */
export function lastLine(messages: readonly AgentMessage[]): string {
  const last = messages.findLast(({ role }) => role !== "system");
  if (!last) return "It held no messages.";
  const line = messageLine(last);
  return `Its last message: ${line.length > 120 ? `${line.slice(0, 119)}…` : line}`;
}
