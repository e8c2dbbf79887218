import type { AgentToolResult } from "pi-agent-rx";

/** A tool result that holds nothing but text. */
export const textResult = (text: string): AgentToolResult<undefined> => ({
  content: [{ type: "text", text }],
  details: undefined,
});
