import type { Model } from "@earendil-works/pi-ai";
import { openAICompletionsApi } from "@earendil-works/pi-ai/api/openai-completions.lazy";
import { type Answer, type AnswerPart, stopOf, usageOf } from "./answer";
import { MODEL, type Said, type Wire } from "./wire";

const FINISH = { stop: "stop", toolUse: "tool_calls", length: "length" };

/** Chat completions as OpenAI and everybody compatible with it streams them. */
export const openAiWire: Wire = {
  name: "openai-completions",
  path: "/v1/chat/completions",
  model: (url): Model<"openai-completions"> => ({
    ...MODEL,
    id: "local-chat",
    name: "Local chat",
    api: "openai-completions",
    provider: "local-openai",
    baseUrl: url,
    compat: { sendSessionAffinityHeaders: true },
  }),
  api: openAICompletionsApi,
  frames,
  failure: (type, message) => JSON.stringify({ error: { type, message, param: null, code: null } }),
  keyOf: ({ authorization }) => String(authorization).replace("Bearer ", ""),
  sessionOf: ({ session_id }) => session_id,
  read: (body) => {
    const { messages, tools, reasoning_effort } = body as Body;
    const [first, ...rest] = messages;
    const system = first?.role === "system" ? String(first.content) : undefined;
    return {
      system,
      tools: (tools ?? []).map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        parameters,
      })),
      said: (system === undefined ? messages : rest).flatMap(say),
      thinking: reasoning_effort,
    };
  },
};

function frames(answer: Answer): string[] {
  const { input, output } = usageOf(answer);
  const calls: readonly AnswerPart[] = answer.parts.filter((part) => part.type === "call");
  return [
    frame({ choices: [choice({ role: "assistant", content: "" })] }),
    ...answer.parts.flatMap((part) =>
      deltas(part, calls.indexOf(part)).map((delta) => frame({ choices: [choice(delta)] })),
    ),
    frame({ choices: [choice({}, FINISH[stopOf(answer)])] }),
    frame({
      choices: [],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
    "data: [DONE]\n\n",
  ];
}

function frame(fields: object): string {
  const chunk = {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "local-chat",
    ...fields,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function choice(delta: object, finish: string | null = null): object {
  return { index: 0, delta, finish_reason: finish };
}

function deltas(part: AnswerPart, index: number): object[] {
  if (part.type === "text") return part.deltas.map((content) => ({ content }));
  if (part.type === "thinking") return part.deltas.map((thought) => ({ reasoning_content: thought }));
  const head = { index, id: part.id, type: "function", function: { name: part.name, arguments: "" } };
  return [head, ...part.deltas.map((piece) => ({ index, function: { arguments: piece } }))].map((delta) => ({
    tool_calls: [delta],
  }));
}

interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
  }[];
  readonly reasoning_effort?: string;
}

interface Message {
  readonly role: string;
  readonly content: string | readonly { readonly text: string }[] | null;
  readonly reasoning_content?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

function say(message: Message): Said[] {
  const { content } = message;
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text).join("");
  if (message.role === "tool") return [{ by: "result", id: message.tool_call_id ?? "", text }];
  if (message.role === "user") return [{ by: "user", text }];
  if (message.role !== "assistant") throw new Error(`unexpected role ${message.role}`);
  return [
    ...(message.reasoning_content ? [{ by: "thought" as const, text: message.reasoning_content }] : []),
    ...(text ? [{ by: "assistant" as const, text }] : []),
    ...(message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
      by: "call" as const,
      id,
      name,
      args: JSON.parse(json) as unknown,
    })),
  ];
}
