import { ignoreElements, of, tap } from "rxjs";
import { arrayOf } from "../internal/arrayOf";
import { ask } from "../internal/ask";
import { oneValue } from "../internal/oneValue";
import { stage, type ValueStage } from "../internal/stage";
import type { Steps } from "../internal/steps";
import type { ReactiveLoopConfig } from "../types/config";
import type { RunControl } from "../types/gate";
import type { AgentMessage } from "../types/messages";

/** What {@link transformContext} needs. */
export interface TransformContextDeps extends Pick<ReactiveLoopConfig, "transformContext" | "operators"> {
  control: Pick<RunControl, "signal">;
}

function* transformed(
  messages: AgentMessage[],
  { transformContext: hook, operators, control }: TransformContextDeps,
): Steps<never, AgentMessage[]> {
  const operator = operators?.context;
  let changed = messages;
  const take = (output: AgentMessage[]) => (changed = output);
  if (hook) {
    yield* ask("transformContext", () => hook(messages, control.signal), take);
    arrayOf("transformContext", "messages", changed);
  }
  if (operator) {
    yield of(changed).pipe(operator, oneValue("operators.context"), tap(take), ignoreElements());
    arrayOf("operators.context", "messages", changed);
  }
  return changed;
}

/**
 * Prunes or enriches the messages of one request: first the `transformContext` hook, then `operators.context`.
 *
 * @remarks Between `prepareRequest` and `convertToLlm`. One array in, one array out; anything else is an error that names
 * the option.
 */
export function transformContext(deps: TransformContextDeps): ValueStage<AgentMessage[], AgentMessage[]> {
  return stage<ValueStage<AgentMessage[], AgentMessage[]>>((messages) => transformed(messages, deps));
}
