import type { StopReason, UserMessage } from "@earendil-works/pi-ai";
import type { AgentOutcome } from "../types/event";
import type { AgentMessage } from "../types/messages";
import type { AnyToolResult } from "../types/tool";

/**
 * How far a tool call is: its arguments are being written, it waits for its turn, for a decision of the user, it runs, it
 * has ended. `skipped`: the response broke off, so it is never executed.
 */
export type ToolCallItemState =
  "writing" | "waiting" | "approval" | "running" | "done" | "failed" | "skipped";

/** What a chat shows of a tool call. */
export interface ToolCallItem {
  readonly kind: "toolCall";
  readonly id: string;
  readonly toolCallId: string;
  readonly toolName: string;
  /** While they are being written, as far as they can be read. */
  readonly args: unknown;
  readonly state: ToolCallItemState;
  /** The latest update. */
  readonly progress?: AnyToolResult;
  readonly result?: AnyToolResult;
  readonly durationMs?: number;
}

/** What a chat shows of a block of text or thinking. */
export interface TextItem {
  readonly kind: "text" | "thinking";
  readonly id: string;
  readonly text: string;
  readonly isStreaming: boolean;
}

/** A response that failed or was aborted. */
export interface FailureItem {
  readonly kind: "failure";
  readonly id: string;
  readonly stopReason: StopReason;
  readonly text: string;
}

/** What a chat shows of a message of a user; `queued` is one that waits for its turn. */
export interface UserItem {
  readonly kind: "user" | "queued";
  readonly id: string;
  readonly message: UserMessage;
}

/** A message that is none of the above: the app's own, or a system message. */
export interface MessageItem {
  readonly kind: "system" | "custom" | "queued";
  readonly id: string;
  readonly message: AgentMessage;
}

/** One line of a chat. Its `id` stays the same for as long as it is there. */
export type ConversationItem = UserItem | TextItem | ToolCallItem | FailureItem | MessageItem;

/**
 * What a chat shows: an immutable picture. Pictures share every item, and every list, that did not change.
 *
 * @remarks `items` is put together when it is first read. Who draws `settled`, `live` and `queued` one after another pays
 * for a delta what the open turn holds, however long the conversation is.
 */
export class ConversationView {
  readonly #items: () => readonly ConversationItem[];

  constructor(
    /** What no longer changes. */
    readonly settled: readonly ConversationItem[],
    /** The answer of the open turn. */
    readonly live: readonly ConversationItem[],
    /** Messages that wait for their turn. */
    readonly queued: readonly ConversationItem[],
    /** Between `agent_start` and `agent_end`. */
    readonly isRunning: boolean,
    /** How the last run ended. */
    readonly outcome?: AgentOutcome,
    /** Why, as `agent_end.reason` says. */
    readonly reason?: unknown,
  ) {
    let items: readonly ConversationItem[] | undefined;
    this.#items = () => (items ??= [...settled, ...live, ...queued]);
  }

  /** All of it, in the order of a chat. */
  get items(): readonly ConversationItem[] {
    return this.#items();
  }
}
