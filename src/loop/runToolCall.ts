import { defer, from, identity, ignoreElements, lastValueFrom } from "rxjs";
import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";
import { isThenable } from "../internal/isThenable";
import { steps, type Emit, type Steps } from "../internal/steps";
import { withSignal } from "../internal/withSignal";
import { preflight } from "../stages/tools/preflight";
import { runCall } from "../stages/tools/runCall";
import type { ReactiveToolCallOptions } from "../types/config";
import type { RunControl } from "../types/gate";
import type { AgentToolCall } from "../types/messages";
import type { AgentToolCallOutcome, AnyToolResult } from "../types/tool";

function* outcomeOf(
  toolCall: AgentToolCall,
  options: ReactiveToolCallOptions,
  control: RunControl,
  emit: Emit<AgentToolCallOutcome>,
): Steps {
  const { onUpdate, assistantMessage, tools } = options;
  const deps = { ...options, control, tools, gate: identity };
  const tell = (update: AnyToolResult) => {
    const told = onUpdate?.(update);
    return isThenable(told) ? from(told).pipe(ignoreElements()) : undefined;
  };
  const flight = yield* preflight(toolCall, assistantMessage, deps);
  emit("outcome" in flight ? flight.outcome : yield* runCall(flight.request, deps, tell));
}

/**
 * Runs one tool call as the loop would: lookup, argument preparation and validation, `beforeToolCall`, the tool,
 * `afterToolCall`. For tools that call tools.
 *
 * @remarks Emits no events and adds no messages. What goes wrong in the call becomes an outcome with `isError: true`; a call
 * whose signal is already aborted is not made.
 */
export function runToolCall(
  toolCall: AgentToolCall,
  options: ReactiveToolCallOptions,
): Promise<AgentToolCallOutcome> {
  return lastValueFrom(
    defer(() => {
      check.object("toolCall", toolCall);
      check.object("options", options);
      check.tools("tools", options.tools);
      checkSettings(options);
      return withSignal(
        (control) => steps<AgentToolCallOutcome>((emit) => outcomeOf(toolCall, options, control, emit)),
        options,
      );
    }),
  );
}
