import type { AgentToolResult } from "../types/tool";

/** A tool result of one text. */
export function textResult(text: string): AgentToolResult<unknown> {
  return { content: [{ type: "text", text }], details: undefined };
}
