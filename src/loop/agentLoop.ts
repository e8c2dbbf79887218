import { check } from "../internal/check";
import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { ReactiveStreamFn } from "../types/hooks";
import type { AgentMessage } from "../types/messages";
import { AgentEventStream } from "./AgentEventStream";

/**
 * Starts a run of the bare loop with new messages.
 *
 * @remarks Nobody who reads the events is awaited. For a cold observable see `agentRun`, for a barrier `Agent`.
 * @throws TypeError when an argument is not what it should be, named
 */
export function agentLoop(
  prompts: AgentMessage[],
  context: AgentContextInit,
  config: ReactiveLoopConfig,
  signal?: AbortSignal,
  streamFn?: ReactiveStreamFn,
): AgentEventStream {
  check.messages("prompts", prompts);
  return new AgentEventStream({ prompts, context, config, signal, streamFn });
}
