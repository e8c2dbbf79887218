/** The hooks that a run calls as they are given. */
export const RUN_HOOKS = [
  "convertToLlm",
  "transformContext",
  "getApiKey",
  "beforeToolCall",
  "afterToolCall",
  "finishTurn",
  "prepareRequest",
  "onPayload",
  "onResponse",
  "onProviderStreamEvent",
] as const;
