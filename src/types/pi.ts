import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ReactiveLoopConfig, ReactiveToolCallOptions } from "./config";
import type { AgentContext } from "./context";
import type { StreamFn } from "./hooks";
import type { ReactiveAgentOptions } from "./options";
import type { AgentHooks, LoopHooks, ToolCallHooks } from "./piHooks";
import type { AgentState, ReactiveInitialState } from "./state";
import type { AgentTool } from "./tool";

/** {@link ReactiveLoopConfig} as pi types it: a program can call the hooks that it reads. */
export interface AgentLoopConfig extends Omit<ReactiveLoopConfig, keyof LoopHooks>, LoopHooks {}

/** {@link ReactiveInitialState} as pi types it. */
export type AgentInitialState = Omit<ReactiveInitialState, "tools"> & Partial<Pick<AgentState, "tools">>;

/** {@link ReactiveAgentOptions} as pi types them: a program can call the hooks that it reads. */
export interface AgentOptions
  extends Omit<ReactiveAgentOptions, keyof AgentHooks | "streamFn" | "initialState">, AgentHooks {
  streamFn: StreamFn;
  initialState?: AgentInitialState;
}

/** {@link ReactiveToolCallOptions} as pi types them. */
export interface RunToolCallOptions
  extends Omit<ReactiveToolCallOptions, keyof ToolCallHooks | "tools" | "context">, ToolCallHooks {
  tools: readonly AgentTool<any>[];
  context: AgentContext;
  assistantMessage: AssistantMessage;
}
