import type { ReactiveLoopConfig } from "../types/config";
import type { AgentContextInit } from "../types/context";
import type { ReactiveStreamFn } from "../types/hooks";
import { AgentEventStream } from "./AgentEventStream";

/**
 * Starts a run of the bare loop from a transcript that waits for an answer, such as one that ends with a user message or
 * with tool results.
 *
 * @throws Error when the transcript is empty or ends with an assistant message
 */
export function agentLoopContinue(
  context: AgentContextInit,
  config: ReactiveLoopConfig,
  signal?: AbortSignal,
  streamFn?: ReactiveStreamFn,
): AgentEventStream {
  return new AgentEventStream({ context, config, signal, streamFn });
}
