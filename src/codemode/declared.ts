import type { CodemodeJsonSchema, CodemodeTool } from "@earendil-works/pi-codemode";
import type { AnyAgentTool } from "../types/tool";

/** A tool as scripts see it. */
export function declared({
  name,
  description,
  parameters,
  outputSchema,
}: AnyAgentTool): Omit<CodemodeTool, "execute"> {
  return {
    name,
    description,
    inputSchema: parameters as CodemodeJsonSchema,
    outputSchema: (outputSchema as CodemodeJsonSchema | undefined) ?? { type: "string" },
  };
}
