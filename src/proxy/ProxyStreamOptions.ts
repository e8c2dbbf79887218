import type { ForwardedOptions } from "./ForwardedOptions";

/** What `streamProxy` takes: where the proxy is, how to be let in, and the stream options to forward. */
export interface ProxyStreamOptions extends ForwardedOptions {
  /** Aborts the request. */
  signal?: AbortSignal;
  /** Sent as bearer token. */
  authToken: string;
  /** Where the proxy is, `https://example.com`: requests go to `/api/stream` below it. */
  proxyUrl: string;
}
