import type { Api, AssistantMessage, AssistantMessageEvent, Model } from "@earendil-works/pi-ai";
import { emptyMessage } from "./emptyMessage";
import type { ProxyWireEvent } from "./ProxyAssistantMessageEvent";
import { rebuildMessage } from "./rebuildMessage";
import { responseDetails } from "./responseDetails";
import { sameJson } from "./sameJson";

type Type = AssistantMessageEvent["type"];
type Event<T extends Type> = Extract<AssistantMessageEvent, { type: T }>;
type Wire<T extends Type> = Extract<ProxyWireEvent, { type: T }>;

/**
 * Turns the events of one response into what travels: `partial` stripped.
 *
 * @remarks It rebuilds the message as the client will, and sends in full only what the client would get wrong: a block
 * whose end says something else than its deltas did, content that no event told. An event that does not fit what came
 * before throws, as it would at the client. An unknown one gives `undefined`.
 */
export function toProxyEvent(
  model: Model<Api>,
): (event: AssistantMessageEvent) => ProxyWireEvent | undefined {
  const mirror = emptyMessage(model);
  const rebuild = rebuildMessage(mirror);
  return (event) => {
    if (!Object.hasOwn(encoders, event.type)) return undefined;
    const wire = (encoders[event.type] as Encode)(event, mirror);
    rebuild(wire);
    return wire;
  };
}

type Encode = (event: AssistantMessageEvent, mirror: AssistantMessage) => ProxyWireEvent;

const encoders: { readonly [T in Type]: (event: Event<T>, mirror: AssistantMessage) => Wire<T> } = {
  start: () => ({ type: "start" }),
  text_start: ({ type, contentIndex }) => ({ type, contentIndex }),
  text_delta: ({ type, contentIndex, delta }) => ({ type, contentIndex, delta }),
  text_end: endText,
  thinking_start: ({ type, contentIndex }) => ({ type, contentIndex }),
  thinking_delta: ({ type, contentIndex, delta }) => ({ type, contentIndex, delta }),
  thinking_end: endThinking,
  toolcall_start: startToolCall,
  toolcall_delta: ({ type, contentIndex, delta }) => ({ type, contentIndex, delta }),
  toolcall_end: ({ type, contentIndex, toolCall }) => ({ type, contentIndex, toolCall }),
  done: ({ type, reason, message }, mirror) => ({ type, reason, ...ending(message, mirror) }),
  error: ({ type, reason, error }, mirror) => {
    return { type, reason, errorMessage: error.errorMessage, ...ending(error, mirror) };
  },
};

function endText({ type, contentIndex, content, partial }: Event<"text_end">, mirror: AssistantMessage) {
  const { textSignature } = blockOf(partial, contentIndex, "text");
  const told = blockOf(mirror, contentIndex, "text").text;
  return { type, contentIndex, contentSignature: textSignature, ...(told !== content && { content }) };
}

function endThinking(
  { type, contentIndex, content, partial }: Event<"thinking_end">,
  mirror: AssistantMessage,
) {
  const { thinkingSignature, redacted } = blockOf(partial, contentIndex, "thinking");
  const told = blockOf(mirror, contentIndex, "thinking").thinking;
  return {
    type,
    contentIndex,
    contentSignature: thinkingSignature,
    redacted,
    ...(told !== content && { content }),
  };
}

function startToolCall({ type, contentIndex, partial }: Event<"toolcall_start">) {
  const { id, name } = blockOf(partial, contentIndex, "toolCall");
  return { type, contentIndex, id, toolName: name };
}

/** What the last event tells of a message that ends: the content only where the client has it otherwise. */
function ending(message: AssistantMessage, mirror: AssistantMessage) {
  const { usage, content } = message;
  const details = Object.fromEntries(responseDetails.map((name) => [name, message[name]]));
  return { ...details, usage, ...(!sameJson(content, mirror.content) && { content }) };
}

function blockOf<T extends AssistantMessage["content"][number]["type"]>(
  message: AssistantMessage,
  index: number,
  type: T,
) {
  const block = message.content[index];
  // A block that is not there yet has nothing to tell; the rebuilding of the message says so if it must be there.
  return (block?.type === type ? block : {}) as Extract<AssistantMessage["content"][number], { type: T }>;
}
