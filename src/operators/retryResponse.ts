import {
  isRetryableAssistantError,
  type AssistantMessage,
  type AssistantMessageEvent,
} from "@earendil-works/pi-ai";
import { concatMap, takeUntil, timer, type Observable } from "rxjs";
import { whenAborted } from "../internal/whenAborted";
import { checkRetry } from "./checkRetry";
import { onResponseFailure } from "./onResponseFailure";
import type { ResponsePolicy } from "./ResponsePolicy";
import { retryAfter } from "./retryAfter";
import { retryDelay } from "./retryDelay";
import type { RetryOptions } from "./RetryOptions";

/** How a failed response is asked for again. */
export interface RetryResponseOptions extends RetryOptions {
  /** Which failures may pass. @defaultValue pi-ai's `isRetryableAssistantError` */
  isRetryable?: (failure: AssistantMessage) => boolean;
  /** Also retry when something of the response was visible already; the new response replaces it. @defaultValue false */
  afterOutput?: boolean;
  /** Told before each wait. */
  onRetry?: (retry: { failure: AssistantMessage; attempt: number; delayMs: number }) => void;
}

/**
 * Asks again when a response failed of something that may pass, after a wait that doubles.
 *
 * @remarks For `operators.response`. A wait that the provider asks for counts when it is longer; one beyond `maxDelay` is not
 * waited for, and the failure stays. An abort ends the wait.
 * @example
 * ```ts
 * const stubborn = new Agent({
 *   initialState: { model },
 *   streamFn,
 *   operators: { response: retryResponse({ attempts: 4, backoff: 500 }) },
 * });
 * await stubborn.prompt("Hello");
 * ```
 */
export function retryResponse(options: RetryResponseOptions = {}): ResponsePolicy {
  const {
    attempts = 3,
    isRetryable = isRetryableAssistantError,
    afterOutput,
    maxDelay = 60_000,
    onRetry,
  } = options;
  checkRetry(options);
  return (request) => {
    const asked = retryAfter(request);
    return (events$) => {
      const attempt = (number: number): Observable<AssistantMessageEvent> =>
        events$.pipe(
          onResponseFailure(request, (failure, visible) => {
            const wanted = asked(failure) ?? 0;
            if (
              number >= attempts ||
              (visible && !afterOutput) ||
              wanted > maxDelay ||
              !isRetryable(failure)
            ) {
              return undefined;
            }
            const delayMs = Math.max(wanted, retryDelay(number, options));
            onRetry?.({ failure, attempt: number + 1, delayMs });
            return timer(delayMs).pipe(
              takeUntil(whenAborted(request.options.signal)),
              concatMap(() => attempt(number + 1)),
            );
          }),
        );
      return attempt(1);
    };
  };
}
