import { runControl, type AnyAgentTool, type ToolCallRequest, type ToolStageDeps } from "pi-agent-rx";
import { assistant, call, context, tool } from "./fixtures";
import { openGate } from "./gates";

/** Dependencies of the tool stage, with tools that the context holds. */
export const toolDeps = (tools: AnyAgentTool[], fields: Partial<ToolStageDeps> = {}): ToolStageDeps => ({
  gate: openGate,
  control: runControl(5),
  context: context([], tools),
  ...fields,
});

/** An allowed call of `execute`. */
export function callOf(
  execute: AnyAgentTool["execute"],
  fields: Partial<ToolCallRequest> = {},
): ToolCallRequest {
  const toolCall = call("1");
  return {
    toolCall,
    tool: tool("echo", execute),
    args: {},
    assistantMessage: assistant([toolCall]),
    context: { messages: [] },
    ...fields,
  };
}
