import type { AgentMessage } from "../types/messages";

type Block = { type: string; text?: string; thinking?: string; name?: string; arguments?: unknown };

function blockText(block: Block): string {
  if (block.type === "text") return block.text ?? "";
  if (block.type === "thinking") return `(${block.thinking ?? ""})`;
  if (block.type === "toolCall") return `${block.name}(${JSON.stringify(block.arguments)})`;
  return `[${block.type}]`;
}

/**
 * A message in one line: its role, then its text; thinking in parentheses, calls as `name({"args":1})`.
 *
 * @example
 * ```ts
 * console.log(messageLine({ role: "user", content: "Hello", timestamp: 0 })); // user: Hello
 * ```
 */
export function messageLine(message: AgentMessage): string {
  const { role, content } = message as { role: string; content?: unknown };
  if (typeof content === "string") return `${role}: ${content}`;
  if (!Array.isArray(content)) return role;
  return `${role}: ${(content as Block[]).map(blockText).join(" ")}`;
}
