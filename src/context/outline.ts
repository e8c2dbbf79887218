import type { AgentMessage } from "../types/messages";
import { provenance } from "./provenance";

/** Messages that stay or go together: one message, or an assistant message with the results of its calls. */
export interface Unit {
  /** Its messages' places in the transcript, ascending. */
  indexes: number[];
  /** The turn that it began in, counted from 0; -1 before the first user message. */
  turn: number;
  /** A system message, or one that another operator added: pruning leaves it alone. */
  isPinned: boolean;
  /** A user message of the transcript: it opened its turn. */
  isUser: boolean;
}

/** The units of a transcript, in the order of their first messages. */
export interface Outline {
  units: Unit[];
  /** How many turns there are: user messages, each with what follows it. */
  turns: number;
}

/** Pairs results with the newest call of their id that has none yet. */
function openCalls() {
  const open = new Map<string, Unit[]>();
  return {
    add(message: AgentMessage, unit: Unit): void {
      if (message.role !== "assistant") return;
      for (const block of message.content) {
        if (block.type !== "toolCall") continue;
        const units = open.get(block.id) ?? [];
        units.push(unit);
        open.set(block.id, units);
      }
    },
    take(message: AgentMessage): Unit | undefined {
      return message.role === "toolResult" ? open.get(message.toolCallId)?.pop() : undefined;
    },
  };
}

/** Divides a transcript into what pruning must not part. */
export function outline(messages: readonly AgentMessage[]): Outline {
  const units: Unit[] = [];
  const open = openCalls();
  let turns = 0;
  messages.forEach((message, index) => {
    const caller = open.take(message);
    if (caller) {
      caller.indexes.push(index);
      return;
    }
    const isAdded = provenance.isAdded(message);
    const isUser = message.role === "user" && !isAdded;
    if (isUser) turns++;
    const isPinned = isAdded || message.role === "system";
    const unit = { indexes: [index], turn: turns - 1, isPinned, isUser };
    units.push(unit);
    open.add(message, unit);
  });
  return { units, turns };
}
