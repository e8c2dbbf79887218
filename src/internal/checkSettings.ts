import { check } from "./check";
import { HOOKS } from "./HOOKS";

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
