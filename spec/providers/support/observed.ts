import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentEvent, AgentMessage } from "./runtime";

/** Event types in order, a row of the same type written once. */
export function typesOf(events: readonly AgentEvent[]): string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

/** The provider's events as `message_update` carried them. */
export function updatesOf(events: readonly AgentEvent[]): AssistantMessageEvent[] {
  return events.flatMap((event) => (event.type === "message_update" ? [event.assistantMessageEvent] : []));
}

/** The deltas of one kind, joined. */
export function joined(
  events: readonly AgentEvent[],
  type: "text_delta" | "thinking_delta" | "toolcall_delta",
): string {
  return updatesOf(events)
    .flatMap((update) => (update.type === type ? [update.delta] : []))
    .join("");
}

export function endOf(events: readonly AgentEvent[]) {
  const ends = events.filter((event) => event.type === "agent_end");
  if (ends.length !== 1 || ends[0] !== events.at(-1))
    throw new Error("expected one agent_end, as the last event");
  return ends[0];
}

export function answersIn(messages: readonly AgentMessage[]): AssistantMessage[] {
  return messages.filter((message) => message.role === "assistant");
}

/** The last answer of a transcript. */
export function answerIn(messages: readonly AgentMessage[]): AssistantMessage {
  const last = answersIn(messages).at(-1);
  if (!last) throw new Error("the transcript holds no answer");
  return last;
}

export function textIn({ content }: AssistantMessage): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

/** How the run ended. */
export function outcomeOf(events: readonly AgentEvent[]): string {
  const end = endOf(events) as { outcome?: string };
  if (end.outcome) return end.outcome;
  const last = events.findLast((event) => event.type === "turn_end")?.message;
  const stop = last?.role === "assistant" ? last.stopReason : "stop";
  return stop === "error" ? "failed" : stop === "aborted" ? "aborted" : "completed";
}
