import { defer, identity, type Observable } from "rxjs";
import { defaultStreamFn } from "../internal/defaultStreamFn";
import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { AgentEvent } from "../types/event";
import type { Gate, RunControl } from "../types/gate";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { checkLoop } from "./checkLoop";
import { runLoop } from "./runLoop";

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

/** Checks the options at once; gives the run that they describe. */
export function preparedRun(options: AgentRunOptions): (control: RunControl) => Observable<AgentEvent> {
  const { prompts, context, config, gate = identity } = options;
  checkLoop(prompts, context, config, options.streamFn);
  return (control) =>
    defer(() => {
      const streamFn = options.streamFn ?? defaultStreamFn.get();
      return runLoop({ prompts, context, config, streamFn, gate, control });
    });
}
