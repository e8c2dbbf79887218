import type { AgentMessage, QueueMode } from "../types/messages";

const NONE: readonly AgentMessage[] = Object.freeze([]);

/**
 * The messages that wait for a run, oldest first.
 *
 * @remarks A message that was taken is on its way to the transcript; what does not get there is given back.
 */
export class MessageQueue {
  mode: QueueMode;
  #messages = NONE;
  #clearedSinceTake = false;
  readonly #onChange: () => void;

  constructor(mode: QueueMode, onChange: () => void) {
    this.mode = mode;
    this.#onChange = onChange;
  }

  /** What waits; frozen, and a new array after each change. */
  get messages(): readonly AgentMessage[] {
    return this.#messages;
  }

  add(message: AgentMessage): void {
    this.#set([...this.#messages, message]);
  }

  /** What the next `take` would give. */
  peek(): AgentMessage[] {
    return this.#messages.slice(0, this.mode === "all" ? undefined : 1);
  }

  take(): AgentMessage[] {
    const taken = this.peek();
    this.#clearedSinceTake = false;
    if (taken.length > 0) this.#set(this.#messages.slice(taken.length));
    return taken;
  }

  /** Puts back what was taken last, in front, unless the queue was cleared since. */
  giveBack(messages: readonly AgentMessage[]): void {
    if (!this.#clearedSinceTake && messages.length > 0) this.#set([...messages, ...this.#messages]);
  }

  /** Removes one message by identity; says whether it was there. */
  remove(message: AgentMessage): boolean {
    const at = this.#messages.indexOf(message);
    if (at < 0) return false;
    this.#set(this.#messages.toSpliced(at, 1));
    return true;
  }

  clear(): void {
    this.#clearedSinceTake = true;
    if (this.#messages.length > 0) this.#set([]);
  }

  #set(messages: readonly AgentMessage[]): void {
    this.#messages = Object.freeze(messages);
    this.#onChange();
  }
}
