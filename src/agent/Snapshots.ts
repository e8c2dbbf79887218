import { getCurrentSystemPrompt, type AssistantMessage } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";
import type { AgentQueues, AgentSnapshot, AgentState } from "../types/state";

type Block = AssistantMessage["content"][number];

// Strings cannot change, so a text block is copied in constant time however long it is.
function copiedBlock(block: Block): Block {
  const copy = { ...block };
  if (copy.type === "toolCall") copy.arguments = structuredClone(copy.arguments);
  return Object.freeze(copy);
}

// Gives the same frozen copy until the array is another, or its end is.
function frozenCopies<T>(): (array: readonly T[]) => readonly T[] {
  let source: readonly T[] | undefined;
  let copy: readonly T[] = [];
  return (array) => {
    const same = array === source && array.length === copy.length && array.at(-1) === copy.at(-1);
    if (!same) copy = Object.freeze([...array]);
    source = array;
    return copy;
  };
}

/**
 * Makes immutable pictures of an agent's state, copying only what changed since the last one.
 *
 * @remarks Pictures are made only when someone looks. Of a streaming message only the block that the last update named is
 * copied, if the picture before showed the update before.
 */
export class Snapshots {
  readonly #messages = frozenCopies<AgentMessage>();
  readonly #tools = frozenCopies<AgentSnapshot["tools"][number]>();
  #streaming: { source: AgentMessage; blocks: Block[]; copy: AssistantMessage } | undefined;
  #changedBlock: number | undefined;
  #updates = 0;
  #seenUpdates = 0;

  /** Notes that the streaming message has another value: a new one, or one with this block changed. */
  streamed(changedBlock?: number): void {
    this.#updates++;
    this.#changedBlock = changedBlock;
  }

  take(state: AgentState, queued: AgentQueues): AgentSnapshot {
    const messages = this.#messages(state.messages);
    let prompt: string | undefined;
    return Object.freeze({
      get systemPrompt() {
        return (prompt ??= getCurrentSystemPrompt(messages));
      },
      model: state.model,
      thinkingLevel: state.thinkingLevel,
      tools: this.#tools(state.tools),
      messages,
      isStreaming: state.isStreaming,
      streamingMessage: state.streamingMessage && this.#copyStreaming(state.streamingMessage),
      pendingToolCalls: state.pendingToolCalls,
      errorMessage: state.errorMessage,
      queued,
    });
  }

  #copyStreaming(source: AgentMessage): AgentMessage {
    if (source.role !== "assistant") return source;
    const known = this.#streaming;
    if (known?.source === source) return known.copy;
    const next = this.#updates === this.#seenUpdates + 1 && this.#changedBlock !== undefined;
    const content = source.content.map((block, index) => {
      const same = next && index !== this.#changedBlock && known?.blocks[index] === block;
      return same ? known.copy.content[index]! : copiedBlock(block);
    });
    const copy: AssistantMessage = Object.freeze({ ...source, content: Object.freeze(content) as Block[] });
    this.#streaming = { source, blocks: [...source.content], copy };
    this.#seenUpdates = this.#updates;
    return copy;
  }
}
