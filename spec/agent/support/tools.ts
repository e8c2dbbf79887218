import type { AgentToolResult, AnyAgentTool } from "pi-agent-rx";

export function result(
  text: string,
  fields: Partial<AgentToolResult<unknown>> = {},
): AgentToolResult<unknown> {
  return { content: [{ type: "text", text }], details: undefined, ...fields };
}

type Execute = AnyAgentTool["execute"];

/** A tool without parameters; `execute` may be anything that a tool could do, right or wrong. */
export function tool(
  execute: (...args: Parameters<Execute>) => unknown = () => result("done"),
  fields: Partial<AnyAgentTool> = {},
): AnyAgentTool {
  return {
    name: "work",
    label: "Work",
    description: "does some work",
    parameters: { type: "object", properties: {} },
    ...fields,
    execute: execute as Execute,
  };
}
