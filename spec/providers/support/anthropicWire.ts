import type { Model } from "@earendil-works/pi-ai";
import { anthropicMessagesApi } from "@earendil-works/pi-ai/api/anthropic-messages.lazy";
import { type Answer, type AnswerPart, stopOf, usageOf } from "./answer";
import { MODEL, type Said, type Wire } from "./wire";

const STOP = { stop: "end_turn", toolUse: "tool_use", length: "max_tokens" };

/** Anthropic's messages, streamed. */
export const anthropicWire: Wire = {
  name: "anthropic-messages",
  path: "/v1/messages?beta=true",
  model: (url): Model<"anthropic-messages"> => ({
    ...MODEL,
    id: "local-messages",
    name: "Local messages",
    api: "anthropic-messages",
    provider: "local-anthropic",
    baseUrl: url.replace(/\/v1$/, ""),
    compat: { sendSessionAffinityHeaders: true },
  }),
  api: anthropicMessagesApi,
  frames,
  failure: (type, message) => JSON.stringify({ type: "error", error: { type, message } }),
  keyOf: (headers) => headers["x-api-key"],
  sessionOf: (headers) => headers["x-session-affinity"],
  read: (body) => {
    const { system, tools, messages, thinking } = body as Body;
    return {
      system: system?.map(({ text }) => text).join(""),
      tools: (tools ?? []).map(({ name, description, input_schema }) => ({
        name,
        description,
        parameters: input_schema,
      })),
      said: messages.flatMap(say),
      thinking,
    };
  },
};

function frames(answer: Answer): string[] {
  const { input, output } = usageOf(answer);
  return [
    frame("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "local-messages",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: input, output_tokens: 1 },
      },
    }),
    frame("ping", {}),
    ...answer.parts.flatMap(block),
    frame("message_delta", {
      delta: { stop_reason: STOP[stopOf(answer)], stop_sequence: null },
      usage: { output_tokens: output },
    }),
    frame("message_stop", {}),
  ];
}

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function block(part: AnswerPart, index: number): string[] {
  return [
    frame("content_block_start", { index, content_block: opening(part) }),
    ...part.deltas.map((delta) => frame("content_block_delta", { index, delta: deltaOf(part, delta) })),
    ...(part.type === "thinking"
      ? [frame("content_block_delta", { index, delta: { type: "signature_delta", signature: "signed" } })]
      : []),
    frame("content_block_stop", { index }),
  ];
}

function opening(part: AnswerPart): object {
  if (part.type === "text") return { type: "text", text: "" };
  if (part.type === "thinking") return { type: "thinking", thinking: "", signature: "" };
  return { type: "tool_use", id: part.id, name: part.name, input: {} };
}

function deltaOf({ type }: AnswerPart, delta: string): object {
  if (type === "text") return { type: "text_delta", text: delta };
  if (type === "thinking") return { type: "thinking_delta", thinking: delta };
  return { type: "input_json_delta", partial_json: delta };
}

interface Body {
  readonly system?: readonly { readonly text: string }[];
  readonly tools?: readonly {
    readonly name: string;
    readonly description: string;
    readonly input_schema: object;
  }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
  readonly thinking?: unknown;
}

type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content: string;
      readonly is_error?: boolean;
    };

function say({ role, content }: Body["messages"][number]): Said[] {
  const by = role === "user" ? "user" : "assistant";
  if (typeof content === "string") return [{ by, text: content }];
  return content.map((part): Said => {
    if (part.type === "text") return { by, text: part.text };
    if (part.type === "thinking") return { by: "thought", text: part.thinking };
    if (part.type === "tool_use") return { by: "call", id: part.id, name: part.name, args: part.input };
    return { by: "result", id: part.tool_use_id, text: part.content, isError: part.is_error ?? false };
  });
}
