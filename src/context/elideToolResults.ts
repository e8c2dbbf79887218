import type { ToolResultMessage } from "@earendil-works/pi-ai";
import type { MonoTypeOperatorFunction } from "rxjs";
import { expected } from "../internal/expected";
import type { AgentMessage } from "../types/messages";
import { provenance } from "./provenance";
import { rewriteOld, type RewriteOldOptions } from "./rewriteOld";

/** What {@link elideToolResults} leaves of a result. */
export interface ElideToolResultsOptions extends RewriteOldOptions {
  /**
   * The most characters of text that a result keeps, from its beginning.
   *
   * @defaultValue 1000
   */
  maxChars?: number;
  /** What stands in place of the rest. @defaultValue `[… 1234 characters left out]` */
  marker?: (leftOut: number) => string;
}

// A cut through a surrogate pair would leave half a character.
function head(text: string, length: number): string {
  const isHalf = /[\uD800-\uDBFF]/.test(text.charAt(length - 1));
  return text.slice(0, isHalf ? length - 1 : length);
}

type Content = ToolResultMessage["content"];

function textLength(content: Content): number {
  return content.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
}

function shorten(
  message: ToolResultMessage,
  maxChars: number,
  marker: (leftOut: number) => string,
): ToolResultMessage {
  const length = textLength(message.content);
  if (length <= maxChars + marker(length - maxChars).length) return message;
  let left = maxChars;
  const content = message.content.flatMap((block): Content => {
    if (block.type !== "text") return [block];
    const text = head(block.text, left);
    left = text.length < block.text.length ? 0 : left - text.length;
    return text === "" ? [] : [{ ...block, text }];
  });
  const text = marker(length - textLength(content));
  return provenance.change(message, { content: [...content, { type: "text", text }] });
}

/**
 * Shortens long tool results of old turns to their first `maxChars` characters and a marker.
 *
 * @remarks The border between old and new turns moves in steps, so the request's beginning changes only once in `step`
 * turns. With `olderThanTurns: 0` every result is shortened at once, by its size alone. Images are {@link elideImages}'
 * part.
 *
 * @example
 * ```ts
 * const context = elideToolResults({ maxChars: 500, olderThanTurns: 3 });
 * const pruned = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function elideToolResults({
  maxChars = 1000,
  marker = (leftOut) => `[… ${leftOut} characters left out]`,
  ...options
}: ElideToolResultsOptions = {}): MonoTypeOperatorFunction<AgentMessage[]> {
  if (!Number.isInteger(maxChars) || maxChars < 0)
    throw expected("elideToolResults: maxChars", "a whole number", maxChars);
  return rewriteOld("elideToolResults", options, (message) =>
    message.role === "toolResult" ? shorten(message, maxChars, marker) : message,
  );
}
