import {
  catchError,
  concat,
  defer,
  EMPTY,
  map,
  merge,
  mergeAll,
  take,
  tap,
  throwError,
  timer,
  type Observable,
} from "rxjs";
import { whenAborted } from "../internal/whenAborted";
import type { ToolCallRequest } from "../types/config";
import type { AnyToolResult } from "../types/tool";
import { checkRetry } from "./checkRetry";
import { retryDelay } from "./retryDelay";
import type { RetryOptions } from "./RetryOptions";
import type { ToolCallPolicy } from "./ToolCallPolicy";

/** How a failed tool is run again. */
export interface RetryToolOptions extends RetryOptions {
  /**
   * Which failures may pass: what was thrown, or a result with `isError`.
   *
   * @defaultValue all, unless the tool says `replay: "never"`
   */
  isRetryable?: (failure: unknown, call: ToolCallRequest) => boolean;
}

/**
 * Runs a tool again when it failed, after a wait that doubles.
 *
 * @remarks For `operators.toolCall`. An abort ends the wait, and the failure stays.
 * @example
 * ```ts
 * const stubborn = new Agent({
 *   initialState: { model },
 *   streamFn,
 *   operators: { toolCall: retryTool({ attempts: 2, isRetryable: (_, { tool }) => tool.name === "fetch" }) },
 * });
 * await stubborn.prompt("Hello");
 * ```
 */
export function retryTool(options: RetryToolOptions = {}): ToolCallPolicy {
  const { attempts = 3, isRetryable = (_failure, { tool }) => tool.replay !== "never" } = options;
  checkRetry(options);
  return (call) => (result$) => {
    const attempt = (number: number): Observable<AnyToolResult> =>
      defer(() => {
        let failure: { value: unknown; isThrown: boolean } | undefined;
        const tried$ = result$.pipe(
          tap((value) => (failure = value?.isError ? { value, isThrown: false } : undefined)),
          catchError((value: unknown) => {
            failure = { value, isThrown: true };
            return EMPTY;
          }),
        );
        const again$ = defer(() => {
          if (!failure) return EMPTY;
          const { value, isThrown } = failure;
          const failed$ = isThrown ? throwError(() => value) : EMPTY;
          if (number >= attempts || !isRetryable(value, call)) return failed$;
          const next$ = timer(retryDelay(number, options)).pipe(map(() => attempt(number + 1)));
          const left$ = whenAborted(call.signal).pipe(map(() => failed$));
          return merge(left$, next$).pipe(take(1), mergeAll());
        });
        return concat(tried$, again$);
      });
    return attempt(1);
  };
}
