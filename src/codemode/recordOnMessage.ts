import type { NestedToolCalls } from "@earendil-works/pi-ai";
import type { CodemodeAgent } from "./CodemodeAgent";

/** Puts the record of a call on its result message as that starts, before it is part of the transcript. */
export function recordOnMessage(
  agent: CodemodeAgent,
  toolCallId: string,
  record: () => NestedToolCalls | undefined,
): void {
  const leave = agent.subscribe?.((event) => {
    if (event.type === "agent_end") leave?.();
    if (event.type !== "message_start" || event.message.role !== "toolResult") return;
    if (event.message.toolCallId !== toolCallId) return;
    leave?.();
    const nestedCalls = record();
    if (nestedCalls) event.message.nestedCalls = nestedCalls;
  });
}
