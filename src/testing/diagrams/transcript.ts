import type { Api, AssistantMessage, Model } from "@earendil-works/pi-ai";
import type { AgentMessage, AgentToolCall } from "../../types/messages";
import { blankAnswer } from "../blankAnswer";

type Block = AssistantMessage["content"][number] | { type: "image"; data: string; mimeType: string };

const WORD = /"(?:[^"\\]|\\.)*"|\{[^}]*\}|[^\s,]+|,/g;
const IMAGE = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
const ENDS = ["error", "aborted"];

const text = (word: string) => ({ type: "text" as const, text: JSON.parse(word) as string });

function callOf(words: string[]): AgentToolCall {
  const [id = "", name = ""] = words.splice(0, 2);
  const args = words[0]?.startsWith("{") ? words.shift()! : "{}";
  return { type: "toolCall", id, name, arguments: JSON.parse(args) as AgentToolCall["arguments"] };
}

function blocksOf(words: string[]): Block[] {
  const blocks: Block[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith('"')) blocks.push(text(word));
    else if (word === "image") blocks.push({ ...IMAGE });
    else if (word === "call") blocks.push(callOf(words));
    else if (word === "thinking")
      blocks.push({ type: "thinking", thinking: JSON.parse(words.shift() ?? '""') as string });
    else throw new Error(`diagram: ${word} is no part of a message`);
  }
  return blocks;
}

function answerOf(model: Model<Api>, words: string[]): AgentMessage {
  const end = ENDS.includes(words[0] ?? "") ? words.shift() : undefined;
  const content = blocksOf(words) as AssistantMessage["content"];
  const calls = content.some(({ type }) => type === "toolCall");
  const stopReason = (end ?? (calls ? "toolUse" : "stop")) as AssistantMessage["stopReason"];
  return { ...blankAnswer(model), content, stopReason };
}

function messageOf(model: Model<Api>, [role = "", ...words]: string[]): AgentMessage {
  if (role === "answer") return answerOf(model, words);
  const head = { timestamp: 0 };
  if (role === "result" || role === "error") {
    const [toolCallId = ""] = words.splice(0, 1);
    const content = blocksOf(words) as never;
    return { ...head, role: "toolResult", toolCallId, toolName: "", content, isError: role === "error" };
  }
  if (role !== "user" && role !== "system") throw new Error(`diagram: ${role} begins no message`);
  const content = blocksOf(words);
  const [only] = content;
  const plain = content.length === 1 && only?.type === "text" ? only.text : content;
  return { ...head, role, content: plain } as AgentMessage;
}

/**
 * Reads `user "Read a", answer call b read, result b "one", answer "It says one"`; a word that is one of `known` stands for
 * those messages.
 */
function parse(source: string, model: Model<Api>, known: Record<string, AgentMessage[]>): AgentMessage[] {
  const messages: string[][] = [[]];
  for (const [word] of source.matchAll(WORD)) {
    if (word === ",") messages.push([]);
    else messages.at(-1)!.push(word);
  }
  return messages.flatMap((words) => {
    const [word = ""] = words;
    return words.length === 1 && known[word] ? known[word] : [messageOf(model, words)];
  });
}

function describeBlock(block: Block): string {
  if (block.type === "text") return JSON.stringify(block.text);
  if (block.type === "thinking") return `thinking ${JSON.stringify(block.thinking)}`;
  return block.type === "toolCall" ? `call ${block.id} ${block.name}` : block.type;
}

function headOf(message: AgentMessage): string[] {
  if (message.role === "toolResult") return [message.isError ? "error" : "result", message.toolCallId];
  if (message.role !== "assistant") return [message.role];
  return ENDS.includes(message.stopReason) ? ["answer", message.stopReason] : ["answer"];
}

function describeMessage(message: AgentMessage): string {
  const content = "content" in message ? message.content : "";
  const blocks =
    typeof content === "string" ? (content ? [JSON.stringify(content)] : []) : content.map(describeBlock);
  return [...headOf(message), ...blocks].join(" ");
}

/** The messages in the words that {@link parse} reads. */
function describe(messages: readonly AgentMessage[]): string {
  return messages.map(describeMessage).join(", ");
}

/** Between a transcript and its words, in the lines `given 1:` and `result 1:`. */
export const transcript = { parse, describe };
