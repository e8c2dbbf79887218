import {
  createAssistantMessageEventStream,
  type AssistantMessage,
  type AssistantMessageEvent,
  type AssistantMessageEventStream,
  type Api,
  type Model,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { catchError, concat, filter, map, merge, of, takeWhile, throwError } from "rxjs";
import { errorText } from "../internal/errorText";
import { emptyMessage } from "./emptyMessage";
import { linger } from "./linger";
import type { ProxyStreamOptions } from "./ProxyStreamOptions";
import { rebuildMessage } from "./rebuildMessage";
import { requestProxy } from "./requestProxy";
import { whenAborted } from "./whenAborted";
import { wireEvents } from "./wireEvents";

/** How long a response may take to end after its last event before the client hangs up. */
const LINGER_MS = 500;

/**
 * A stream function that asks a proxy instead of the provider: the proxy keeps the keys and makes the request.
 *
 * @remarks Whatever goes wrong on the way ends the stream with one `error` event whose message says what. The proxy is
 * `proxyHandler`, or any server written for pi-agent-core.
 *
 * @example
 * ```ts
 * const agent = new Agent({
 *   streamFn: (model, context, options) =>
 *     streamProxy(model, context, { ...options, authToken, proxyUrl: "https://example.com" }),
 * });
 * ```
 */
export function streamProxy(
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- pi's signature: any model will do
  model: Model<any>,
  context: TranscriptContext,
  options: ProxyStreamOptions,
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream();
  const partial = emptyMessage(model as Model<Api>);
  const { signal } = options;
  const abort$ = whenAborted(signal).pipe(map(() => fail("Request aborted by user")));
  const response$ = requestProxy(model as Model<Api>, context, options).pipe(
    linger(LINGER_MS, signal),
    wireEvents(),
  );
  const end$ = throwError(() => new Error("Connection closed by proxy server before the response completed"));
  // The abort first: one that has come already makes no request.
  merge(abort$, concat(response$, end$))
    .pipe(
      takeWhile(({ type }) => type !== "done" && type !== "error", true),
      map(rebuildMessage(partial)),
      filter((event) => event !== undefined),
      catchError((error: unknown) => of(failure(partial, error, signal))),
    )
    .subscribe({ next: (event) => stream.push(event), complete: () => stream.end() });
  return stream;
}

function fail(message: string): never {
  throw new Error(message);
}

/** The partial message, ended as it stands. */
function failure(partial: AssistantMessage, error: unknown, signal?: AbortSignal): AssistantMessageEvent {
  const reason = signal?.aborted ? "aborted" : "error";
  partial.stopReason = reason;
  partial.errorMessage = errorText(error);
  return { type: "error", reason, error: partial };
}
