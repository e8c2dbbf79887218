import { alphabet } from "./alphabet";

const PROVIDER: Record<string, string> = {
  start: "s",
  text_delta: "t",
  thinking_delta: "h",
  done: "d",
  error: "e",
};

/** The letter of a value in a row `result:`. Arrays are drawn by their length, what has no letter as `o`. */
export function letterOf(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  if (typeof value !== "object" || value === null || !("type" in value)) return "o";
  const { type } = value as { type: string };
  if (type in alphabet) return alphabet[type as keyof typeof alphabet];
  if ("toolCall" in value) return (value.toolCall as { id: string }).id;
  return PROVIDER[type] ?? "o";
}
