import type { EventEntry } from "../log";

interface Call {
  type: "toolCall";
  id: string;
}

interface ShownMessage {
  role: string;
  stopReason?: string;
  errorMessage?: string;
  timestamp?: number;
  toolCallId?: string;
  content?: unknown;
}

/** The message that an event shows. */
export function messageIn(entry: EventEntry): ShownMessage | undefined {
  return (entry.event as { message?: ShownMessage }).message;
}

/** The assistant message that an event shows. */
export function answerIn(entry: EventEntry): ShownMessage | undefined {
  const message = messageIn(entry);
  return message?.role === "assistant" ? message : undefined;
}

export function callIdsOf(message: ShownMessage): string[] {
  const content = Array.isArray(message.content) ? (message.content as Partial<Call>[]) : [];
  return content.flatMap((block) => (block.type === "toolCall" && block.id !== undefined ? [block.id] : []));
}

export function toolCallIdIn(entry: EventEntry): string | undefined {
  return (entry.event as { toolCallId?: string }).toolCallId;
}

/** Scripted messages are named by role and number, and stamped by number; the stamp survives the copying of a message. */
export function stampOf(name: string): number | undefined {
  const n = /-(\d+)$/.exec(name)?.[1];
  return n === undefined ? undefined : 1000 + Number(n);
}

export const brief = ({ at, type }: EventEntry): string => `${type} at ${at}`;
