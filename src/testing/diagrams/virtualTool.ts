import { isThenable } from "../../internal/isThenable";
import type { AnyAgentTool } from "../../types/tool";

/** A tool of the user's own, held to virtual time: a promise, which would never settle in it, is named at once. */
export function virtualTool(tool: AnyAgentTool, onProblem: (problem: string) => void): AnyAgentTool {
  return {
    ...tool,
    execute: (...given) => {
      const output = tool.execute(...given);
      if (!isThenable(output)) return output;
      const problem = `tool ${JSON.stringify(tool.name)} returned a promise; in virtual time it has to return an observable`;
      onProblem(problem);
      throw new Error(problem);
    },
  };
}
