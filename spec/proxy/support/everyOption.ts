import type { ForwardedOptions } from "../../../src/proxy/ForwardedOptions";

/** A value for every option that travels; complete by its type. */
export const everyOption: Required<ForwardedOptions> = {
  cacheRetention: "long",
  deferred: { window: "1h" },
  disableContinuation: true,
  headers: { "x-a": "b", "x-none": null },
  identity: { userAgent: { custom: "me" }, attribution: null },
  maxRetries: 1,
  maxRetryDelayMs: 2,
  maxTokens: 3,
  metadata: { user_id: "u" },
  reasoning: "high",
  samplingParams: { top_p: 0.5 },
  sessionId: "s",
  temperature: 0.25,
  thinkingBudgets: { low: 4 },
  timeoutMs: 5,
  toolChoice: "none",
  transport: "sse",
  websocketConnectTimeoutMs: 6,
};
