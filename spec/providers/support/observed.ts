import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentEvent, AgentMessage } from "pi-agent-rx";

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

/** The event that ended the only run of these events. */
export function endOf(events: readonly AgentEvent[]) {
  const ends = events.flatMap((event) => (event.type === "agent_end" ? [event] : []));
  const [end] = ends;
  if (!end || ends.length > 1 || end !== events.at(-1))
    throw new Error("expected one agent_end, as the last event");
  return end;
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
export function outcomeOf(events: readonly AgentEvent[]) {
  return endOf(events).outcome;
}
