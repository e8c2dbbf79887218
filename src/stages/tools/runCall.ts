import type { Step, Steps } from "../../internal/steps";
import type { ToolCallRequest } from "../../types/config";
import type { AgentToolCallOutcome, AnyToolResult } from "../../types/tool";
import { executeTool, type ExecutedTool } from "./executeTool";
import { finalizeCall } from "./finalizeCall";
import type { ToolStageDeps } from "./ToolStageDeps";

/** Runs one allowed call to its outcome, hooks included; an end never overtakes an update. */
export function* runCall(
  request: ToolCallRequest,
  deps: ToolStageDeps,
  tellUpdate: (update: AnyToolResult) => Step,
): Steps<never, AgentToolCallOutcome> {
  let executed: ExecutedTool;
  yield executeTool(request, deps, tellUpdate, (ended) => (executed = ended));
  return yield* finalizeCall(request, executed!, deps);
}
