import type { AnyToolResult } from "../../types/tool";

/** The result of a call that failed: its text for the model. */
export function errorResult(text: string): AnyToolResult {
  return { content: [{ type: "text", text }], details: {} };
}
