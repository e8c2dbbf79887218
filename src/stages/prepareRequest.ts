import { ask } from "../internal/ask";
import { stage, type ValueStage } from "../internal/stage";
import type { Steps } from "../internal/steps";
import type { RunControl } from "../types/gate";
import type { ReactiveRequestUpdate, ReactivePrepareRequest, PrepareRequestContext } from "../types/hooks";

/** What {@link prepareRequest} needs. */
export interface PrepareRequestDeps {
  control: Pick<RunControl, "signal" | "deadline$">;
  prepareRequest?: ReactivePrepareRequest;
}

function* prepared(
  request: PrepareRequestContext,
  { prepareRequest: hook, control }: PrepareRequestDeps,
): Steps<never, PrepareRequestContext> {
  let update: ReactiveRequestUpdate | undefined | void;
  const take = (changed: typeof update) => (update = changed);
  if (hook) yield* ask("prepareRequest", () => hook(request, control.signal), take, control);
  if (!update) return request;
  return {
    context: (update.context as PrepareRequestContext["context"] | undefined) ?? request.context,
    model: update.model ?? request.model,
    thinkingLevel: update.thinkingLevel ?? request.thinkingLevel,
  };
}

/**
 * Lets the `prepareRequest` hook replace context, model and thinking level of the request.
 *
 * @remarks After the pending messages were committed, before `transformContext`. What it leaves out stays.
 */
export function prepareRequest(
  deps: PrepareRequestDeps,
): ValueStage<PrepareRequestContext, PrepareRequestContext> {
  return stage<ValueStage<PrepareRequestContext, PrepareRequestContext>>((request) =>
    prepared(request, deps),
  );
}
