import type { AssistantMessage, ImageContent, TextContent } from "@earendil-works/pi-ai";
import type { AgentMessage } from "../types/messages";

/** A result is there to be remembered, not to be read again. */
const MOST_CHARS = 2000;

const short = (text: string) =>
  text.length > MOST_CHARS
    ? `${text.slice(0, MOST_CHARS)} [${text.length - MOST_CHARS} characters more]`
    : text;

function words(content: string | (TextContent | ImageContent)[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
}

function answer({ content }: AssistantMessage): string[] {
  return content.flatMap((block) => {
    if (block.type === "thinking") return [];
    if (block.type === "text") return block.text === "" ? [] : [`Assistant: ${block.text}`];
    return [`Assistant calls ${block.name}: ${short(JSON.stringify(block.arguments))}`];
  });
}

function paragraphs(message: AgentMessage): string[] {
  switch (message.role) {
    case "user":
      return [`User: ${words(message.content)}`];
    case "assistant":
      return answer(message);
    case "toolResult": {
      const what = message.isError ? "Error" : "Result";
      return [`${what} of ${message.toolName}: ${short(words(message.content))}`];
    }
    default:
      return [`${(message as AgentMessage).role}: ${short(JSON.stringify(message))}`];
  }
}

/** A transcript as text, for a model that reads it and does not take part: calls and results are no tool use there. */
export function renderTranscript(messages: readonly AgentMessage[]): string {
  return messages.flatMap(paragraphs).join("\n\n");
}
