import type { CodemodeResult } from "@earendil-works/pi-codemode";
import type { AnyToolResult } from "../types/tool";

type Content = AnyToolResult["content"];

const CHARS_A_TOKEN = 4;

/** The beginning and the end of a text that is longer than `most`, and how much is missing between them. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const missing = text.length - 2 * half;
  return `${text.slice(0, half)}\n… ${missing} characters left out …\n${text.slice(text.length - half)}`;
}

const shown = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function said(result: CodemodeResult): Content {
  const output: Content = result.output.map((item) =>
    item.type === "text" ? { type: "text", text: item.text } : item,
  );
  if (!result.ok) {
    const { kind, stack, message } = result.error;
    return [...output, { type: "text", text: `The script failed (${kind}): ${stack ?? message}` }];
  }
  if (result.value !== undefined) return [...output, { type: "text", text: shown(result.value) }];
  return output.length > 0 ? output : [{ type: "text", text: "The script ran and said nothing." }];
}

/** What the model reads of a script: its output in order, then what it returned, or its error; texts within the budget. */
export function scriptContent(result: CodemodeResult, maxTokens: number): Content {
  const content = said(result);
  const isText = (block: Content[number]) => block.type === "text";
  const texts = content.map((block) => (block.type === "text" ? block.text : ""));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= maxTokens * CHARS_A_TOKEN) return content;
  const text = cut(texts.filter(Boolean).join("\n"), maxTokens * CHARS_A_TOKEN);
  return [{ type: "text", text }, ...content.filter((block) => !isText(block))];
}
