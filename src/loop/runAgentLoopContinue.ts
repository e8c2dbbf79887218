import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { settledRun, type AgentEventSink } from "./settledRun";

/**
 * Runs the bare loop from a transcript that waits for an answer; resolves with the messages that the run added.
 *
 * @remarks Each event is given to `emit`, and its promise awaited, before what the event announces happens.
 */
export function runAgentLoopContinue(
  context: AgentContextInit,
  config: ReactiveLoopConfig,
  emit: AgentEventSink,
  signal?: AbortSignal,
  streamFn?: ReactiveStreamFn,
): Promise<AgentMessage[]> {
  return settledRun({ context, config, signal, streamFn }, emit);
}
