import { concat, defer, filter, ignoreElements, map, tap, type Observable } from "rxjs";
import type { ToolCallRequest } from "../../types/config";
import type { AgentToolCallOutcome, AnyToolResult } from "../../types/tool";
import { executeTool, type ExecutedTool } from "./executeTool";
import { finalizeCall } from "./finalizeCall";
import type { ToolStageDeps } from "./ToolStageDeps";

/**
 * Runs one allowed call to its outcome, hooks included.
 *
 * @remarks `tellUpdates` gets the updates as one stream and gives back what to pass on; `onOutcome` is called once, when its
 * stream has completed, so that an end never overtakes an update.
 */
export function runCall<T>(
  request: ToolCallRequest,
  deps: ToolStageDeps,
  tellUpdates: (update$: Observable<AnyToolResult>) => Observable<T>,
  onOutcome: (outcome: AgentToolCallOutcome) => void,
): Observable<T> {
  let executed: ExecutedTool | undefined;
  const update$ = executeTool(request, deps).pipe(
    tap((progress) => {
      if ("executed" in progress) executed = progress.executed;
    }),
    filter((progress) => "update" in progress),
    map(({ update }) => update),
  );
  return concat(
    tellUpdates(update$),
    defer(() => finalizeCall(request, executed!, deps)).pipe(tap(onOutcome), ignoreElements()),
  );
}
