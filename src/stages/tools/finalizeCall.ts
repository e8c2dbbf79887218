import { ask } from "../../internal/ask";
import { errorText } from "../../internal/errorText";
import type { Steps } from "../../internal/steps";
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
 * @remarks After a tool has ended, before its end is told. Does not fail. A call that was left behind after an abort is not
 * shown to the hook.
 */
export function* finalizeCall(
  request: ToolCallRequest,
  executed: ExecutedTool,
  deps: ToolStageDeps,
): Steps<never, AgentToolCallOutcome> {
  const { afterToolCall, control } = deps;
  const { assistantMessage, toolCall, args, context } = request;
  const { result, isError, durationMs, abandoned } = executed;
  let outcome: AgentToolCallOutcome = { toolCall, result, isError, durationMs };
  if (!afterToolCall || abandoned) return outcome;
  const call: AfterToolCallContext = { assistantMessage, toolCall, args, result, isError, context };
  try {
    yield* ask<AfterToolCallResult | undefined | void>(
      "afterToolCall",
      () => afterToolCall(call, control.signal),
      (after) => {
        if (after) outcome = overridden(outcome, after);
      },
      { deadline$: control.deadline$ },
    );
  } catch (error) {
    outcome = { ...outcome, result: errorResult(errorText(error)), isError: true };
  }
  return outcome;
}
