import type { ImageContent, TextContent } from "@earendil-works/pi-ai";
import type { MonoTypeOperatorFunction } from "rxjs";
import type { AgentMessage } from "../types/messages";
import { provenance } from "./provenance";
import { rewriteOld, type RewriteOldOptions } from "./rewriteOld";

/** Which images {@link elideImages} leaves out. */
export interface ElideImagesOptions extends RewriteOldOptions {
  /**
   * Images up to so many bytes stay.
   *
   * @defaultValue 0: none does
   */
  maxBytes?: number;
  /** What stands in an image's place. @defaultValue `[image/png left out]` */
  marker?: (image: ImageContent) => string;
}

const bytesOf = ({ data }: ImageContent) => Math.floor((data.length * 3) / 4);

/**
 * Replaces the images of old turns, in user messages and in tool results, by a short marker.
 *
 * @remarks The border between old and new turns moves in steps, so the request's beginning changes only once in `step`
 * turns. With `olderThanTurns: 0` it goes by size alone.
 *
 * @example
 * ```ts
 * const context = elideImages({ olderThanTurns: 2, maxBytes: 10_000 });
 * const pruned = new Agent({ initialState: { model }, streamFn, operators: { context } });
 * ```
 */
export function elideImages({
  maxBytes = 0,
  marker = ({ mimeType }) => `[${mimeType} left out]`,
  ...options
}: ElideImagesOptions = {}): MonoTypeOperatorFunction<AgentMessage[]> {
  const isLarge = (block: TextContent | ImageContent): block is ImageContent =>
    block.type === "image" && bytesOf(block) > maxBytes;
  return rewriteOld("elideImages", options, (message) => {
    if (message.role !== "user" && message.role !== "toolResult") return message;
    const { content } = message;
    if (typeof content === "string" || !content.some(isLarge)) return message;
    return provenance.change(message, {
      content: content.map((block) =>
        isLarge(block) ? { type: "text" as const, text: marker(block) } : block,
      ),
    });
  });
}
