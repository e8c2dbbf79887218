import { defer, identity, type Observable } from "rxjs";
import { defaultStreamFn } from "../internal/defaultStreamFn";
import type { AgentEvent } from "../types/event";
import type { RunControl } from "../types/gate";
import type { AgentRunOptions } from "./AgentRunOptions";
import { checkLoop } from "./checkLoop";
import { runLoop } from "./runLoop";

/** Checks the options at once; gives the run that they describe. */
export function preparedRun(options: AgentRunOptions): (control: RunControl) => Observable<AgentEvent> {
  const { prompts, context, config, gate = identity } = options;
  checkLoop(options);
  return (control) =>
    defer(() => {
      const streamFn = options.streamFn ?? defaultStreamFn.get();
      return runLoop({ prompts, context, config, streamFn, gate, control });
    });
}
