import type { AgentToolResult, AnyAgentTool } from "pi-agent-rx";
import { from, isObservable, lastValueFrom, of, toArray, type Observable } from "rxjs";

const isPromise = (value: unknown): value is PromiseLike<AgentToolResult<unknown>> =>
  typeof value === "object" && value !== null && "then" in value;

/** Runs a tool to its end and gives the texts of its results: updates, and last the result. */
export async function runTool(tool: AnyAgentTool, params: object, signal?: AbortSignal): Promise<string[]> {
  const output: unknown = tool.execute("call", params, signal);
  const results$ = isObservable(output)
    ? (output as Observable<AgentToolResult<unknown>>)
    : isPromise(output)
      ? from(output)
      : of(output as AgentToolResult<unknown>);
  const results = await lastValueFrom(results$.pipe(toArray()));
  return results.map(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  );
}
