import type { AnyToolResult } from "../types/tool";

/** The text of a result. */
export function textOf({ content }: AnyToolResult): string {
  return (content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
