import type { ForwardedOptions } from "./ForwardedOptions";

/**
 * The names of the forwarded options, and the `typeof` each may have.
 *
 * @remarks Complete by its type: a stream option that a later pi-ai adds fails to compile until it is listed here or
 * among the local ones.
 */
export const optionTypes: Readonly<Record<keyof ForwardedOptions, string>> = {
  cacheRetention: "string",
  deferred: "boolean or object",
  disableContinuation: "boolean",
  headers: "object",
  identity: "object",
  maxRetries: "number",
  maxRetryDelayMs: "number",
  maxTokens: "number",
  metadata: "object",
  reasoning: "string",
  samplingParams: "object",
  sessionId: "string",
  temperature: "number",
  thinkingBudgets: "object",
  timeoutMs: "number",
  toolChoice: "string",
  transport: "string",
  websocketConnectTimeoutMs: "number",
};
