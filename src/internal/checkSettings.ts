import { check } from "./check";

const HOOKS = [
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
  "prepareNextTurn",
  "prepareNextTurnWithContext",
  "getSteeringMessages",
  "getFollowUpMessages",
  "onUndelivered",
  "onUpdate",
  "streamFunction",
  "streamFn",
  "gate",
] as const;

/** Checks the options that Agent and the low-level loop have in common. */
export function checkSettings(settings: object): void {
  const bag = settings as Record<string, unknown>;
  check.functions("", bag, HOOKS);
  check.oneOf("toolExecution", bag.toolExecution, ["parallel", "sequential"], true);
  check.limit("toolConcurrency", bag.toolConcurrency);
  check.ms("abortGraceMs", bag.abortGraceMs);
  if (bag.operators === undefined) return;
  check.object("operators", bag.operators);
  check.functions("operators.", bag.operators as Record<string, unknown>, [
    "context",
    "response",
    "toolCall",
  ]);
}
