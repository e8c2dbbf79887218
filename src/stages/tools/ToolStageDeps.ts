import type { ReactiveLoopConfig, ReactiveToolCallHooks } from "../../types/config";
import type { AgentContextInit } from "../../types/context";
import type { Gate, RunControl } from "../../types/gate";
import type { AnyAgentTool } from "../../types/tool";

/** What the tool stage and its parts need. */
export interface ToolStageDeps
  extends ReactiveToolCallHooks, Pick<ReactiveLoopConfig, "toolExecution" | "toolConcurrency" | "operators"> {
  gate: Gate;
  control: RunControl;
  /** Given to the hooks; its tools are those that can be called. */
  context: AgentContextInit;
  /** Callable instead of the context's tools. */
  tools?: readonly AnyAgentTool[];
}
