import { catchError, map, of, type Observable } from "rxjs";
import { errorText } from "../../internal/errorText";
import { fromHook } from "../../internal/fromHook";
import { untilDeadline } from "../../internal/untilDeadline";
import type { ToolCallRequest } from "../../types/config";
import type { AfterToolCallContext, AfterToolCallResult } from "../../types/hooks";
import type { AgentToolCallOutcome } from "../../types/tool";
import { errorResult } from "./errorResult";
import type { ExecutedTool } from "./executeTool";
import type { ToolStageDeps } from "./ToolStageDeps";

function overridden(outcome: AgentToolCallOutcome, after: AfterToolCallResult): AgentToolCallOutcome {
  const { result, isError } = outcome;
  const { content, details, usage, terminate, structuredContent } = after;
  // Structured content that was not replaced along with the content may no longer match it.
  const structured = structuredContent ?? (content ? undefined : result.structuredContent);
  const changed = {
    ...result,
    content: content ?? result.content,
    details: details ?? result.details,
    usage: usage ?? result.usage,
    terminate: terminate ?? result.terminate,
    structuredContent: structured,
  };
  if (structured === undefined) delete changed.structuredContent;
  return { ...outcome, result: changed, isError: after.isError ?? isError };
}

/**
 * Lets `afterToolCall` replace fields of a result.
 *
 * @remarks After a tool has ended, before its end is told. Emits one value and does not fail. A call that was left behind
 * after an abort is not shown to the hook.
 */
export function finalizeCall(
  request: ToolCallRequest,
  executed: ExecutedTool,
  deps: ToolStageDeps,
): Observable<AgentToolCallOutcome> {
  const { afterToolCall, control } = deps;
  const { assistantMessage, toolCall, args, context } = request;
  const { result, isError, durationMs, abandoned } = executed;
  const outcome: AgentToolCallOutcome = { toolCall, result, isError, durationMs };
  if (!afterToolCall || abandoned) return of(outcome);
  const call: AfterToolCallContext = { assistantMessage, toolCall, args, result, isError, context };
  return fromHook<AfterToolCallResult | undefined | void>("afterToolCall", () =>
    afterToolCall(call, control.signal),
  ).pipe(
    map((after) => (after ? overridden(outcome, after) : outcome)),
    untilDeadline(control, () => [outcome]),
    catchError((error: unknown) => of({ ...outcome, result: errorResult(errorText(error)), isError: true })),
  );
}
