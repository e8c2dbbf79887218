import type { AgentMessage } from "pi-agent-rx";
import { assistant, call, toolResult, user } from "../../support/fixtures";

/** A turn: the user's words, one call with its result, the answer. */
export const turn = (name: string, result = "done"): AgentMessage[] => [
  user(name),
  assistant([call(name)]),
  toolResult(name, result),
  assistant(`${name} is done`),
];

function textOf({ content }: Pick<AgentMessage, "content">): string {
  if (typeof content === "string") return content;
  return content
    .map((block) => {
      if (block.type === "text") return block.text;
      if (block.type === "thinking") return `(${block.thinking})`;
      return block.type === "image" ? `<${block.mimeType}>` : `${block.name}!`;
    })
    .join(" ");
}

/** Messages in short: role and words. */
export const lines = (messages: AgentMessage[]): string[] =>
  messages.map((message) => `${message.role}: ${textOf(message)}`);
