import { concat, defer, EMPTY, takeUntil, tap, throwError, timer } from "rxjs";
import { check } from "../internal/check";
import type { ToolCallPolicy } from "./ToolCallPolicy";

/**
 * Ends a tool call with an error result when it takes longer.
 *
 * @remarks For `operators.toolCall`. The tool's signal is aborted; updates do not give it more time.
 * @example
 * ```ts
 * const brisk = new Agent({ initialState: { model }, streamFn, operators: { toolCall: toolTimeout(10_000) } });
 * await brisk.prompt("Hello");
 * ```
 */
export function toolTimeout(ms: number): ToolCallPolicy {
  check.ms("toolTimeout", ms);
  return ({ toolCall }) =>
    (result$) =>
      defer(() => {
        let isLate = false;
        const error = () => new Error(`Tool "${toolCall.name}" took longer than ${ms} ms (timeout)`);
        return concat(
          result$.pipe(takeUntil(timer(ms).pipe(tap(() => (isLate = true))))),
          defer(() => (isLate ? throwError(error) : EMPTY)),
        );
      });
}
