import type { AssistantMessage } from "@earendil-works/pi-ai";
import { validateToolArguments } from "@earendil-works/pi-ai";
import { ask } from "../../internal/ask";
import { errorText } from "../../internal/errorText";
import type { Steps } from "../../internal/steps";
import type { ToolCallRequest } from "../../types/config";
import type { AgentContext } from "../../types/context";
import type { BeforeToolCallContext, BeforeToolCallResult } from "../../types/hooks";
import type { AgentToolCall } from "../../types/messages";
import type { AgentToolCallOutcome, AnyAgentTool } from "../../types/tool";
import { failedCall } from "./failedCall";
import type { ToolStageDeps } from "./ToolStageDeps";

/** A call is either allowed to run, or has ended already. */
export type Preflight = { request: ToolCallRequest } | { outcome: AgentToolCallOutcome };

function argumentsFor(tool: AnyAgentTool, toolCall: AgentToolCall): unknown {
  if (!tool.prepareArguments) return validateToolArguments(tool, toolCall);
  const prepared = tool.prepareArguments(toolCall.arguments) as AgentToolCall["arguments"];
  return validateToolArguments(tool, { ...toolCall, arguments: prepared });
}

function blocked(toolCall: AgentToolCall, { reason, terminate }: BeforeToolCallResult): AgentToolCallOutcome {
  const outcome = failedCall(toolCall, reason || "Tool execution was blocked");
  if (terminate === true) outcome.result.terminate = true;
  return outcome;
}

/**
 * Everything before a call runs: lookup, argument preparation and validation, `beforeToolCall`.
 *
 * @remarks Does not fail: what throws becomes the call's own error result. After an abort neither the lookup nor the hook is
 * made; a hook that outlasts the grace is left behind.
 */
export function* preflight(
  toolCall: AgentToolCall,
  assistantMessage: AssistantMessage,
  deps: ToolStageDeps,
): Steps<never, Preflight> {
  const { control, context, beforeToolCall } = deps;
  const { signal } = control;
  const failed = (text: string): Preflight => ({ outcome: failedCall(toolCall, text) });
  let flight = failed("Operation aborted");
  try {
    if (signal.aborted) return flight;
    const tool = (deps.tools ?? context.tools ?? []).find(({ name }) => name === toolCall.name);
    if (!tool) return failed(`Tool ${toolCall.name} not found`);
    const args = argumentsFor(tool, toolCall);
    const given = context as AgentContext;
    const allowed: Preflight = {
      request: { assistantMessage, toolCall, args, context: given, tool, signal },
    };
    if (!beforeToolCall) return allowed;
    const call: BeforeToolCallContext = { assistantMessage, toolCall, args, context: given };
    yield* ask<BeforeToolCallResult | undefined | void>(
      "beforeToolCall",
      () => beforeToolCall(call, signal),
      (decision) => {
        if (!signal.aborted) flight = decision?.block ? { outcome: blocked(toolCall, decision) } : allowed;
      },
      { deadline$: control.deadline$ },
    );
    return flight;
  } catch (error) {
    return failed(errorText(error));
  }
}
