import type { ReactiveLoopConfig, ReactiveToolCallHooks } from "../types/config";
import type { AgentMessage } from "../types/messages";
import type { AgentListener } from "../types/options";
import type { AnyAgentTool } from "../types/tool";

/** The parts of an `Agent` that nested calls need; a loop of one's own can have them, too. */
export interface CodemodeAgent
  extends ReactiveToolCallHooks, Pick<ReactiveLoopConfig, "operators" | "abortGraceMs" | "toolExecution"> {
  readonly state: { readonly tools: readonly AnyAgentTool[]; readonly messages: readonly AgentMessage[] };
  /** Used to put `nestedCalls` on the result message. */
  subscribe?: (listener: AgentListener) => () => void;
}
