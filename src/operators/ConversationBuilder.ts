import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentEvent, AgentOutcome } from "../types/event";
import type { AgentMessage } from "../types/messages";
import type { AgentQueues } from "../types/state";
import { ConversationCalls } from "./ConversationCalls";
import { conversationItems } from "./conversationItems";
import type { ConversationSeed } from "./ConversationSeed";
import { ConversationView, type ConversationItem } from "./ConversationView";
import { queuedItems } from "./queuedItems";
import { shareItems } from "./shareItems";

type Update = Extract<AgentEvent, { type: "message_update" }>;

/** Puts a {@link ConversationView} together, event by event. Ids count messages, so a seeded view has the same as one that saw all. */
export class ConversationBuilder {
  #view: ConversationView | undefined;
  #settled: ConversationItem[] = [];
  #live: readonly ConversationItem[] = [];
  #queued: readonly ConversationItem[] = [];
  readonly #calls = new ConversationCalls();
  readonly #toQueued = queuedItems();
  #messages = 0;
  /** The message between its start and its end. */
  #open: { id: string; message: AgentMessage; content?: unknown } | undefined;
  #lastEnded: AgentMessage | undefined;
  #isRunning = false;
  #outcome: AgentOutcome | undefined;
  #reason: unknown;

  seed({ messages, streamingMessage, pendingToolCalls, isStreaming, queued }: ConversationSeed): void {
    for (const message of messages) this.#end(message);
    if (streamingMessage) this.#start(streamingMessage);
    for (const toolCallId of pendingToolCalls ?? []) {
      this.#execute({ type: "tool_execution_start", toolCallId, toolName: "", args: undefined });
    }
    this.#isRunning = isStreaming ?? false;
    if (queued) this.queue(queued);
  }

  queue(queued: AgentQueues): void {
    this.#queued = shareItems(this.#queued, this.#toQueued(queued));
  }

  /** Which calls wait for a decision of the user. */
  decide(pending: ReadonlySet<string>): void {
    const live = this.#live.map((item) => {
      if (item.kind !== "toolCall" || (item.state !== "running" && item.state !== "approval")) return item;
      return { ...item, state: pending.has(item.toolCallId) ? ("approval" as const) : ("running" as const) };
    });
    this.#live = shareItems(this.#live, live);
  }

  apply(event: AgentEvent): void {
    switch (event.type) {
      case "agent_start":
        return this.#begin();
      case "message_start":
        return this.#start(event.message);
      case "message_update":
        return this.#update(event);
      case "message_end":
        return this.#end(event.message);
      case "tool_execution_start":
      case "tool_execution_update":
      case "tool_execution_end":
        return this.#execute(event);
      case "turn_start":
        return;
      case "turn_end":
        return this.#settle();
      case "agent_end":
        return this.#finish(event.outcome, event.reason);
    }
  }

  /** The picture now; the same one for as long as nothing changed. */
  view(): ConversationView {
    const { settled, live, queued, isRunning, outcome, reason } = this.#view ?? {};
    const isSame =
      settled === this.#settled &&
      live === this.#live &&
      queued === this.#queued &&
      isRunning === this.#isRunning &&
      outcome === this.#outcome &&
      reason === this.#reason;
    if (this.#view && isSame) return this.#view;
    return (this.#view = new ConversationView(
      this.#settled,
      this.#live,
      this.#queued,
      this.#isRunning,
      this.#outcome,
      this.#reason,
    ));
  }

  #begin(): void {
    this.#isRunning = true;
    this.#outcome = this.#reason = undefined;
  }

  #finish(outcome: AgentOutcome | undefined, reason: unknown): void {
    this.#settle();
    this.#isRunning = false;
    this.#outcome = outcome;
    this.#reason = reason;
  }

  #start(message: AgentMessage): void {
    if (message.role === "toolResult" || this.#open?.message === message || this.#lastEnded === message)
      return;
    this.#settle();
    const id = `m${this.#messages++}`;
    this.#open = { id, message, content: message.role === "assistant" ? message.content : undefined };
    this.#live = conversationItems.open(message, id);
  }

  #update({ message, assistantMessageEvent }: Update): void {
    const { content } = message as AssistantMessage;
    if (!this.#open) return this.#start(message);
    const { id } = this.#open;
    const index = "contentIndex" in assistantMessageEvent ? assistantMessageEvent.contentIndex : -1;
    const block = content[index];
    // A provider writes on to one array; another array or length, or an update that was left out, asks for a look at all.
    const isKnown =
      this.#open.content === content &&
      content.length === this.#live.length &&
      content.every((other, at) => at === index || conversationItems.shows(this.#live[at]!, other));
    this.#open.content = content;
    if (isKnown && block) {
      const isStreaming = !assistantMessageEvent.type.endsWith("_end");
      this.#live = this.#live.with(index, conversationItems.block(block, `${id}.${index}`, isStreaming));
    } else this.#live = shareItems(this.#live, conversationItems.open(message, id));
  }

  #end(message: AgentMessage): void {
    if (message === this.#lastEnded) return;
    if (message.role === "toolResult") {
      this.#messages++;
      this.#put(this.#calls.answer(this.#live, message));
    } else {
      if (!this.#open) this.#start(message);
      this.#live = shareItems(this.#live, conversationItems.ended(message, this.#open!.id));
      this.#open = undefined;
      this.#calls.follow(this.#live);
    }
    this.#lastEnded = message;
  }

  #execute(event: Extract<AgentEvent, { toolCallId: string }>): void {
    this.#put(this.#calls.execute(this.#live, event));
  }

  #put(change: [number, ConversationItem] | undefined): void {
    if (!change) return;
    const [index, item] = change;
    this.#live = index < this.#live.length ? this.#live.with(index, item) : [...this.#live, item];
  }

  #settle(): void {
    this.#open = undefined;
    this.#calls.follow([]);
    if (this.#live.length === 0) return;
    // Somebody may look at the list that was shown.
    if (this.#view?.settled === this.#settled) this.#settled = [...this.#settled];
    for (const item of this.#live) this.#settled.push(conversationItems.settled(item));
    this.#live = [];
  }
}
