import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";

/** Checks the arguments of the low-level functions. Without prompts there must be something to continue from. */
export function checkLoop(prompts: unknown, context: unknown, config: unknown, streamFn: unknown): void {
  if (prompts !== undefined) check.messages("prompts", prompts);
  check.object("context", context);
  const { messages, tools } = context as { messages: { role: string }[]; tools?: unknown };
  check.messages("context.messages", messages);
  if (tools !== undefined) check.tools("context.tools", tools);
  check.object("config", config);
  checkSettings(config as object);
  const { model, convertToLlm } = config as { model?: unknown; convertToLlm?: unknown };
  check.object("config.model", model);
  check.function("convertToLlm", convertToLlm);
  if (streamFn !== undefined) check.function("streamFn", streamFn);
  if (prompts !== undefined) return;
  if (messages.length === 0) throw new Error("Cannot continue: no messages in context");
  if (messages.at(-1)!.role === "assistant") throw new Error("Cannot continue from message role: assistant");
}
