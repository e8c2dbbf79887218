import type { SimpleStreamOptions } from "@earendil-works/pi-ai";

/** Stream options that stay on the client: secrets, and what JSON cannot carry. */
type LocalOption =
  "apiKey" | "env" | "fetch" | "onPayload" | "onProviderStreamEvent" | "onResponse" | "signal" | "telemetry";

/** The stream options that travel with a proxied request: every one that JSON can carry, no secret. */
export type ForwardedOptions = Omit<SimpleStreamOptions, LocalOption>;
