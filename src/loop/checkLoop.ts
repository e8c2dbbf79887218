import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";
import { expected } from "../internal/expected";
import type { AgentRunOptions } from "./AgentRunOptions";

/** Checks what the low-level functions were given. Without prompts there must be something to continue from. */
export function checkLoop(options: AgentRunOptions): void {
  const { prompts, context, config, signal } = options;
  checkSettings(options);
  if (prompts !== undefined) check.messages("prompts", prompts);
  check.object("context", context);
  check.messages("context.messages", context.messages);
  if (context.tools !== undefined) check.tools("context.tools", context.tools);
  check.object("config", config);
  checkSettings(config);
  check.object("config.model", config.model);
  check.function("convertToLlm", config.convertToLlm);
  if (signal && typeof signal.addEventListener !== "function")
    throw expected("signal", "an AbortSignal", signal);
  if (prompts !== undefined) return;
  const last = context.messages.at(-1);
  if (!last) throw new Error("Cannot continue: no messages in context");
  if (last.role === "assistant") throw new Error("Cannot continue from message role: assistant");
}
