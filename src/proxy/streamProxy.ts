import {
  createAssistantMessageEventStream,
  type Api,
  type AssistantMessageEventStream,
  type Model,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { catchError, defer, mergeMap, of } from "rxjs";
import { blankMessage } from "../internal/blankMessage";
import { errorText } from "../internal/errorText";
import type { ProxyStreamOptions } from "./ProxyStreamOptions";

/**
 * A stream function that asks a proxy instead of the provider: the proxy keeps the keys and makes the request.
 *
 * @remarks Whatever goes wrong on the way ends the stream with one `error` event whose message says what. The proxy is
 * `proxyHandler`, or any server written for pi-agent-core. Its code is loaded on first use: who asks no proxy loads none.
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
  defer(() => import("./proxyResponse"))
    .pipe(
      mergeMap(({ proxyResponse }) => proxyResponse(model as Model<Api>, context, options)),
      catchError((error: unknown) => {
        const errorMessage = `Proxy error: ${errorText(error)}`;
        const failed = blankMessage({ model: model as Model<Api>, stopReason: "error", errorMessage });
        return of({ type: "error", reason: "error", error: failed } as const);
      }),
    )
    .subscribe({ next: (event) => stream.push(event), complete: () => stream.end() });
  return stream;
}
