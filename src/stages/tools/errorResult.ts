import type { AgentToolResult } from "../../types/tool";

/** The result of a call that failed: its text for the model. */
export function errorResult(text: string): AgentToolResult<any> {
  return { content: [{ type: "text", text }], details: {} };
}
