import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { Gate } from "../types/gate";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";

/** What a run of the bare loop takes. */
export interface AgentRunOptions {
  /** Messages to begin with; left out, the run continues from the context. */
  prompts?: AgentMessage[];
  context: AgentContextInit;
  config: ReactiveLoopConfig;
  /** Aborting it aborts the run, which then still ends in order. */
  signal?: AbortSignal;
  /** @defaultValue what `setDefaultStreamFn` was given */
  streamFn?: ReactiveStreamFn;
  /** Every event passes it before what it announces happens. @defaultValue `identity` */
  gate?: Gate;
}
