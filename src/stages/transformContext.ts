import { concatMap, map, of, type MonoTypeOperatorFunction } from "rxjs";
import { arrayOf } from "../internal/arrayOf";
import { fromHook } from "../internal/fromHook";
import { oneValue } from "../internal/oneValue";
import type { ReactiveLoopConfig } from "../types/config";
import type { RunControl } from "../types/gate";
import type { AgentMessage } from "../types/messages";

/** What {@link transformContext} needs. */
export interface TransformContextDeps extends Pick<ReactiveLoopConfig, "transformContext" | "operators"> {
  control: Pick<RunControl, "signal">;
}

/**
 * Prunes or enriches the messages of one request: first the `transformContext` hook, then `operators.context`.
 *
 * @remarks Between `prepareRequest` and `convertToLlm`. One array in, one array out; anything else is an error that names
 * the option.
 */
export function transformContext(deps: TransformContextDeps): MonoTypeOperatorFunction<AgentMessage[]> {
  const { transformContext: hook, operators, control } = deps;
  const operator = operators?.context;
  return (messages$) => {
    const hooked$ = hook
      ? messages$.pipe(
          concatMap((messages) => fromHook("transformContext", () => hook(messages, control.signal))),
          map((messages) => arrayOf("transformContext", "messages", messages)),
        )
      : messages$;
    if (!operator) return hooked$;
    return hooked$.pipe(
      concatMap((messages) => of(messages).pipe(operator, oneValue("operators.context"))),
      map((messages) => arrayOf("operators.context", "messages", messages)),
    );
  };
}
