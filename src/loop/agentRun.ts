import type { Observable } from "rxjs";
import { withSignal } from "../internal/withSignal";
import type { AgentEvent } from "../types/event";
import type { AgentRunOptions } from "./AgentRunOptions";
import { preparedRun } from "./preparedRun";

/**
 * The bare loop as a cold observable: each subscription is a run.
 *
 * @remarks Unsubscribing aborts the run and drops what is left of it. It fails with the error of a hook, of `streamFn` or of
 * the gate, without `agent_end`.
 * @throws TypeError when an option is not what it should be, named
 */
export function agentRun(options: AgentRunOptions): Observable<AgentEvent> {
  const run = preparedRun(options);
  const { signal, config } = options;
  return withSignal(run, { signal, abortGraceMs: config.abortGraceMs });
}
