import {
  ToolCallArgumentsStream,
  type AssistantMessage,
  type AssistantMessageEvent,
} from "@earendil-works/pi-ai";
import type { ProxyWireEvent } from "./ProxyAssistantMessageEvent";
import { responseDetails } from "./responseDetails";

type Block = AssistantMessage["content"][number];
type Type = ProxyWireEvent["type"];
type Wire<T extends Type> = Extract<ProxyWireEvent, { type: T }>;

/** A message in the making, and the argument texts of its open tool calls by content index. */
interface Draft {
  readonly partial: AssistantMessage;
  readonly toolArguments: Map<number, ToolCallArgumentsStream>;
}

type Rebuild<T extends Type> = (draft: Draft, event: Wire<T>) => Extract<AssistantMessageEvent, { type: T }>;

/**
 * Rebuilds a provider's events from what came over the wire.
 *
 * @param partial - The message to build up. It is live, as any provider's: every event shows this one object.
 *
 * @remarks An event that does not fit what came before throws an error that names it. An unknown one gives `undefined`.
 */
export function rebuildMessage(
  partial: AssistantMessage,
): (event: ProxyWireEvent) => AssistantMessageEvent | undefined {
  const draft: Draft = { partial, toolArguments: new Map() };
  return (event) => {
    if (!Object.hasOwn(rebuilders, event.type)) return undefined;
    const rebuild = rebuilders[event.type] as (draft: Draft, event: ProxyWireEvent) => AssistantMessageEvent;
    return rebuild(draft, event);
  };
}

const rebuilders: { readonly [T in Type]: Rebuild<T> } = {
  start: ({ partial }) => ({ type: "start", partial }),
  text_start: (draft, event) => open(draft, event, { type: "text", text: "" }),
  text_delta: extendText,
  text_end: endText,
  thinking_start: (draft, event) => open(draft, event, { type: "thinking", thinking: "" }),
  thinking_delta: extendThinking,
  thinking_end: endThinking,
  toolcall_start: startToolCall,
  toolcall_delta: extendToolCall,
  toolcall_end: endToolCall,
  done: (draft, event) => ({ type: "done", reason: event.reason, message: finish(draft, event) }),
  error: (draft, event) => ({ type: "error", reason: event.reason, error: finish(draft, event) }),
};

function extendText(draft: Draft, event: Wire<"text_delta">) {
  const delta = stringOf(event, "delta");
  blockOf(draft, event, "text").text += delta;
  return shown(draft, event, { delta });
}

function endText(draft: Draft, event: Wire<"text_end">) {
  const block = blockOf(draft, event, "text");
  block.textSignature = event.contentSignature;
  block.text = event.content ?? block.text;
  return shown(draft, event, { content: block.text });
}

function extendThinking(draft: Draft, event: Wire<"thinking_delta">) {
  const delta = stringOf(event, "delta");
  blockOf(draft, event, "thinking").thinking += delta;
  return shown(draft, event, { delta });
}

function endThinking(draft: Draft, event: Wire<"thinking_end">) {
  const block = blockOf(draft, event, "thinking");
  block.thinkingSignature = event.contentSignature;
  block.thinking = event.content ?? block.thinking;
  if (event.redacted !== undefined) block.redacted = event.redacted;
  return shown(draft, event, { content: block.thinking });
}

function startToolCall(draft: Draft, event: Wire<"toolcall_start">) {
  const [id, name] = [stringOf(event, "id"), stringOf(event, "toolName")];
  draft.toolArguments.set(event.contentIndex, new ToolCallArgumentsStream());
  return open(draft, event, { type: "toolCall", id, name, arguments: {} });
}

function extendToolCall(draft: Draft, event: Wire<"toolcall_delta">) {
  const delta = stringOf(event, "delta");
  const block = blockOf(draft, event, "toolCall");
  const args = draft.toolArguments.get(event.contentIndex);
  if (args === undefined) throw misfit(event, "toolCall");
  // A new block, as in pi: who compares objects sees the change.
  draft.partial.content[event.contentIndex] = { ...block, arguments: args.append(delta) };
  return shown(draft, event, { delta });
}

function endToolCall(draft: Draft, event: Wire<"toolcall_end">) {
  const args = draft.toolArguments.get(event.contentIndex);
  draft.toolArguments.delete(event.contentIndex);
  const block = blockOf(draft, event, "toolCall");
  // A server that sends no call with the end leaves the arguments to one full parse of their text.
  const toolCall = Object.assign(block, event.toolCall ?? args?.finish(), { type: "toolCall" as const });
  return shown(draft, event, { toolCall });
}

/** Ends the message. A server that knows no usage leaves the zeroes, for readers add them up. */
function finish({ partial }: Draft, event: Wire<"done"> | Wire<"error">): AssistantMessage {
  stringOf(event, "reason");
  partial.stopReason = event.reason;
  if (event.type === "error") partial.errorMessage = event.errorMessage;
  partial.usage = event.usage ?? partial.usage;
  partial.content = event.content ?? partial.content;
  const told = responseDetails.filter((name) => event[name] !== undefined);
  return Object.assign(partial, Object.fromEntries(told.map((name) => [name, event[name]])));
}

function open<T extends string>(draft: Draft, event: { type: T; contentIndex: number }, block: Block) {
  const { content } = draft.partial;
  const index = event.contentIndex;
  // The index comes from the wire: a name would reach the array's prototype, a gap would be a hole in the message.
  if (!Number.isInteger(index) || index < 0 || index > content.length) {
    throw new Error(
      `Received ${event.type} for content ${JSON.stringify(index)}, expected ${content.length}`,
    );
  }
  content[index] = block;
  return shown(draft, event, {});
}

function blockOf<T extends Block["type"]>(
  draft: Draft,
  event: { type: string; contentIndex: number },
  type: T,
) {
  const block = draft.partial.content[event.contentIndex];
  if (block?.type !== type) throw misfit(event, type);
  return block as Extract<Block, { type: T }>;
}

function misfit(event: { type: string }, type: string): Error {
  return new Error(`Received ${event.type} for non-${type} content`);
}

function stringOf<K extends string>(event: { type: string } & Record<K, string>, name: K): string {
  if (typeof event[name] !== "string") throw new Error(`Received ${event.type} without ${name}`);
  return event[name];
}

function shown<T extends string, X>(draft: Draft, event: { type: T; contentIndex: number }, extra: X) {
  return { type: event.type, contentIndex: event.contentIndex, ...extra, partial: draft.partial };
}
