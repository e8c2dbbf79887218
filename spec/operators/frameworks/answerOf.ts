import type { ConversationView } from "pi-agent-rx/operators";

/** What every component shows: the kinds of the items and the text of the last one. */
export function answerOf({ items }: ConversationView): string {
  const last = items.at(-1);
  const text = last && "text" in last ? last.text : "";
  return `${items.map(({ kind }) => kind).join("+")}: ${text}`;
}
