import { defer, lastValueFrom, map } from "rxjs";
import { check } from "../internal/check";
import { lane } from "../internal/lane";
import { whenSettled } from "../internal/whenSettled";
import type { AgentEvent } from "../types/event";
import type { AgentMessage } from "../types/messages";
import { agentRun } from "./agentRun";
import type { AgentRunOptions } from "./AgentRunOptions";

/** Takes one event; a promise is awaited before the next event. */
export type AgentEventSink = (event: AgentEvent) => Promise<void> | void;

/** Runs the bare loop behind a sink that is awaited; resolves with the messages that the run added. */
export function settledRun(options: AgentRunOptions, emit: AgentEventSink): Promise<AgentMessage[]> {
  return lastValueFrom(
    defer(() => {
      check.function("emit", emit);
      if ("prompts" in options) check.messages("prompts", options.prompts);
      const gate = lane((event, passed, failed) => whenSettled(emit(event), passed, failed));
      return agentRun({ ...options, gate });
    }).pipe(
      map((event) => (event as Extract<AgentEvent, { type: "agent_end" }>).messages), // the last one counts
    ),
  );
}
