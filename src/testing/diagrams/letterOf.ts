import { alphabet } from "./alphabet";
import type { Meaning } from "./parseMeaning";

const PROVIDER: Record<string, string> = {
  start: "s",
  text_delta: "t",
  thinking_delta: "h",
  done: "d",
  error: "e",
};

function letterOfWord(word: string, legend: Record<string, Meaning>): string {
  const entry = Object.entries(legend).find(([, { verb, text }]) => verb === word || text === word);
  return entry?.[0] ?? "o";
}

/**
 * The letter of a value in a row `result:`. Arrays are drawn by their length, numbers as they are, strings by the letter
 * that the legend gives them, what has no letter as `o`.
 */
export function letterOf(value: unknown, legend: Record<string, Meaning> = {}): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value === "number" && /^\d$/.test(String(value))) return String(value);
  if (typeof value === "string") return letterOfWord(value, legend);
  if (typeof value !== "object" || value === null || !("type" in value)) return "o";
  const { type } = value as { type: string };
  if (type in alphabet) return alphabet[type as keyof typeof alphabet];
  if ("toolCall" in value) return (value.toolCall as { id: string }).id;
  return PROVIDER[type] ?? "o";
}
