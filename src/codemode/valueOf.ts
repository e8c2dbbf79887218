import type { AgentToolCallOutcome, AnyAgentTool } from "../types/tool";
import { textOf } from "./textOf";

/**
 * What a script gets of a call: the data of a tool that has an `outputSchema`, an image as a block, else the text.
 *
 * @throws Error with the text of a call that failed
 */
export function valueOf({ outputSchema }: AnyAgentTool, { result, isError }: AgentToolCallOutcome): unknown {
  if (isError) throw new Error(textOf(result));
  if (outputSchema && result.structuredContent !== undefined) return result.structuredContent;
  const [first, ...rest] = result.content ?? [];
  return first?.type === "image" && rest.length === 0 ? first : textOf(result);
}
