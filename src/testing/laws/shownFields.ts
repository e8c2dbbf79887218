import type { AgentEvent } from "../../types/event";

type Fields = Record<string, unknown>;

function changedField(now: Fields, then: Fields): string | undefined {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].find((key) => now[key] !== then[key]);
}

/** Remembers the top-level fields of an event and of its message; the function tells which has changed since. */
export function shownFields(event: AgentEvent): () => string | undefined {
  const message: Fields | undefined =
    "message" in event ? (event.message as unknown as Fields | undefined) : undefined;
  const then = { ...event } as Fields;
  const messageThen = { ...message };
  return () => {
    const field = changedField(event, then);
    if (field !== undefined) return `${event.type}.${field}`;
    const inMessage = message && changedField(message, messageThen);
    return inMessage === undefined ? undefined : `${event.type}.message.${inMessage}`;
  };
}
