import { concatMap, map, type MonoTypeOperatorFunction } from "rxjs";
import { fromHook } from "../internal/fromHook";
import type { RunControl } from "../types/gate";
import type { ReactiveRequestUpdate, ReactivePrepareRequest, PrepareRequestContext } from "../types/hooks";

/** What {@link prepareRequest} needs. */
export interface PrepareRequestDeps {
  control: Pick<RunControl, "signal">;
  prepareRequest?: ReactivePrepareRequest;
}

/**
 * Lets the `prepareRequest` hook replace context, model and thinking level of the request.
 *
 * @remarks After the pending messages were committed, before `transformContext`. What it leaves out stays.
 */
export function prepareRequest(deps: PrepareRequestDeps): MonoTypeOperatorFunction<PrepareRequestContext> {
  const { prepareRequest: hook, control } = deps;
  if (!hook) return (request$) => request$;
  return concatMap((request) =>
    fromHook<ReactiveRequestUpdate | undefined | void>("prepareRequest", () =>
      hook(request, control.signal),
    ).pipe(
      map((update) => ({
        context: (update?.context as PrepareRequestContext["context"] | undefined) ?? request.context,
        model: update?.model ?? request.model,
        thinkingLevel: update?.thinkingLevel ?? request.thinkingLevel,
      })),
    ),
  );
}
