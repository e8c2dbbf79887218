import type { AssistantMessage, AssistantMessageEvent, Model, Api } from "@earendil-works/pi-ai";
import type { AgentToolCall } from "../../types/messages";
import { blankAnswer } from "../blankAnswer";
import type { Meaning } from "./parseMeaning";

type Block = AssistantMessage["content"][number];
type Done = Extract<AssistantMessageEvent, { type: "done" }>;

function grown(content: Block[], block: Extract<Block, { type: "text" | "thinking" }>): number {
  const last = content.at(-1);
  if (last?.type === "text" && block.type === "text") last.text += block.text;
  else if (last?.type === "thinking" && block.type === "thinking") last.thinking += block.thinking;
  else content.push(block);
  return content.length - 1;
}

function ended(partial: AssistantMessage, { word, data }: Meaning): AssistantMessageEvent {
  const calls = partial.content.some(({ type }) => type === "toolCall");
  const reason = (word ?? (calls ? "toolUse" : "stop")) as Done["reason"];
  return {
    type: "done",
    reason,
    message: { ...partial, stopReason: reason, usage: { ...partial.usage, ...data } },
  };
}

function failed(partial: AssistantMessage, { verb, text }: Meaning): AssistantMessageEvent {
  const reason = verb === "aborted" ? "aborted" : "error";
  const errorMessage = text ?? (reason === "aborted" ? "Request was aborted" : "The model failed");
  return { type: "error", reason, error: { ...partial, stopReason: reason, errorMessage } };
}

/** One response of a model: turns its letters, one after the other, into the provider's events. */
export function responder(model: Model<Api>): (letter: string, meaning: Meaning) => AssistantMessageEvent {
  const partial = blankAnswer(model);
  const { content } = partial;
  const events: Record<string, (letter: string, meaning: Meaning) => AssistantMessageEvent> = {
    start: () => ({ type: "start", partial }),
    text: (_, { text: delta = "hi" }) => {
      const contentIndex = grown(content, { type: "text", text: delta });
      return { type: "text_delta", contentIndex, delta, partial };
    },
    thinking: (_, { text: delta = "hm" }) => {
      const contentIndex = grown(content, { type: "thinking", thinking: delta });
      return { type: "thinking_delta", contentIndex, delta, partial };
    },
    call: (letter, { word: name = "", data = {} }) => {
      const toolCall: AgentToolCall = {
        type: "toolCall",
        id: letter,
        name,
        arguments: data as AgentToolCall["arguments"],
      };
      const contentIndex = content.push(toolCall) - 1;
      return { type: "toolcall_end", contentIndex, toolCall, partial };
    },
    done: (_, meaning) => ended(partial, meaning),
    error: (_, meaning) => failed(partial, meaning),
    aborted: (_, meaning) => failed(partial, meaning),
  };
  return (letter, meaning) => {
    const event = events[meaning.verb];
    if (!event) throw new Error(`diagram: ${letter} = ${meaning.verb} is nothing that a model says`);
    return event(letter, meaning);
  };
}
