import type { AssistantMessage } from "@earendil-works/pi-ai";
import { concat, defer, EMPTY, of, takeUntil, tap, timer } from "rxjs";
import { check } from "../internal/check";
import { responseFailure } from "./responseFailure";
import type { ResponsePolicy } from "./ResponsePolicy";

/**
 * Ends a response as failed when it is not complete after so long.
 *
 * @remarks For `operators.response`. Keeps what had streamed. Outside of a retry it is the time for all attempts together,
 * inside the time for each.
 * @example
 * ```ts
 * const hasty = new Agent({ initialState: { model }, streamFn, operators: { response: totalTimeout(120_000) } });
 * await hasty.prompt("Hello");
 * ```
 */
export function totalTimeout(ms: number): ResponsePolicy {
  check.ms("totalTimeout", ms);
  return (request) => (events$) =>
    defer(() => {
      let partial: AssistantMessage | undefined;
      let isLate = false;
      const inTime$ = events$.pipe(
        tap((event) => {
          if ("partial" in event) partial = event.partial;
        }),
        takeUntil(timer(ms).pipe(tap(() => (isLate = true)))),
      );
      const failure$ = defer(() =>
        isLate
          ? of(responseFailure(request, `The response took longer than ${ms} ms (timeout)`, partial))
          : EMPTY,
      );
      return concat(inTime$, failure$);
    });
}
