import type { AgentMessage } from "../types/messages";

const origins = new WeakMap<AgentMessage, AgentMessage>();
const additions = new WeakSet<AgentMessage>();

function originOf(message: AgentMessage): AgentMessage {
  return origins.get(message) ?? message;
}

function isAdded(message: AgentMessage): boolean {
  return additions.has(originOf(message));
}

function add<T extends AgentMessage>(message: T): T {
  const copy = { ...message };
  additions.add(copy);
  return copy;
}

function change<T extends AgentMessage>(message: T, fields: Partial<T>): T {
  const copy = { ...message, ...fields };
  origins.set(copy, originOf(message));
  return copy;
}

/** Where a message of a request comes from: the transcript, a changed copy of one of its messages, or an operator. */
export const provenance = {
  /** The transcript's message that this one is a copy of, or itself. */
  originOf,
  /** Whether an operator put it there: it opens no turn, and pruning leaves it alone. */
  isAdded,
  /** A copy for a request, known as added. */
  add,
  /** A changed copy; the message itself stays as it is. */
  change,
};
