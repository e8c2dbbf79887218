import type { AssistantMessage } from "@earendil-works/pi-ai";
import { defer, of, tap, timeout } from "rxjs";
import { check } from "../internal/check";
import { responseFailure } from "./responseFailure";
import type { ResponsePolicy } from "./ResponsePolicy";

/**
 * Ends a response as failed when the provider says nothing for so long, before the first event or between two.
 *
 * @remarks For `operators.response`. Keeps what had streamed. pi-ai counts the failure as one that can be retried. The time
 * in which a slow listener holds the provider up counts too.
 * @example
 * ```ts
 * const patient = new Agent({ initialState: { model }, streamFn, operators: { response: idleTimeout(30_000) } });
 * await patient.prompt("Hello");
 * ```
 */
export function idleTimeout(ms: number): ResponsePolicy {
  check.ms("idleTimeout", ms);
  return (request) => (events$) =>
    defer(() => {
      let partial: AssistantMessage | undefined;
      return events$.pipe(
        tap((event) => {
          if ("partial" in event) partial = event.partial;
        }),
        timeout({
          each: ms,
          with: () =>
            of(responseFailure(request, `The provider was idle for ${ms} ms (idle timeout)`, partial)),
        }),
      );
    });
}
