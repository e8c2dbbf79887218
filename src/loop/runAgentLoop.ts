import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { settledRun, type AgentEventSink } from "./settledRun";

/**
 * Runs the bare loop with new messages; resolves with the messages that the run added.
 *
 * @remarks Each event is given to `emit`, and its promise awaited, before what the event announces happens.
 */
export function runAgentLoop(
  prompts: AgentMessage[],
  context: AgentContextInit,
  config: ReactiveLoopConfig,
  emit: AgentEventSink,
  signal?: AbortSignal,
  streamFn?: ReactiveStreamFn,
): Promise<AgentMessage[]> {
  return settledRun({ prompts, context, config, signal, streamFn }, emit);
}
