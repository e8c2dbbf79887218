import type { AgentMessage } from "./messages";
import type { AgentTool, AnyAgentTool } from "./tool";

/** The transcript and the tools of a run, as hooks see them: live, and not theirs to modify. */
export interface AgentContext {
  /** Everything said so far. */
  messages: AgentMessage[];
  /** What can be executed. What the model knows of is declared by the transcript's system messages. */
  tools?: AgentTool<any>[];
}

/** An {@link AgentContext} as it is handed in: its tools may be of any kind. */
export interface AgentContextInit extends Omit<AgentContext, "tools"> {
  tools?: AnyAgentTool[];
}
