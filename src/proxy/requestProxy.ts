import type { Api, Model, TranscriptContext } from "@earendil-works/pi-ai";
import { catchError, defer, finalize, mergeMap, type Observable } from "rxjs";
import { describeCause } from "./describeCause";
import { proxyRequestOptions } from "./proxyRequestOptions";
import type { ProxyStreamOptions } from "./ProxyStreamOptions";
import { readBody } from "./readBody";

/**
 * Makes one request to the proxy: the chunks of its response.
 *
 * @remarks Cold. Unsubscribing hangs up.
 */
export function requestProxy(
  model: Model<Api>,
  context: TranscriptContext,
  options: ProxyStreamOptions,
): Observable<Uint8Array> {
  return defer(() => {
    for (const name of ["authToken", "proxyUrl"] as const) {
      if (typeof options[name] !== "string") throw new Error(`streamProxy: ${name}: expected a string`);
    }
    const { authToken, proxyUrl } = options;
    const body = JSON.stringify({ model, context, options: proxyRequestOptions(options) });
    const controller = new AbortController();
    return defer(() =>
      fetch(`${proxyUrl.replace(/\/+$/, "")}/api/stream`, {
        method: "POST",
        headers: { Authorization: `Bearer ${authToken}`, "Content-Type": "application/json" },
        body,
        signal: controller.signal,
      }),
    ).pipe(
      catchError((error: unknown) => {
        throw new Error(`Proxy error: network error: ${describeCause(error)}`);
      }),
      mergeMap(readBody),
      finalize(() => controller.abort()),
    );
  });
}
