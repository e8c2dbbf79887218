import type { RunInput } from "./AgentRun";
import type { AgentStore } from "./AgentStore";

/** What `continue()` begins with: the transcript as it is, or queued messages when it ends with an answer. */
export function continuation(store: AgentStore): RunInput {
  const { messages } = store.state;
  const last = messages.at(-1);
  if (!last || messages.every((message) => message.role === "system")) {
    throw new Error("No messages to continue from");
  }
  if (last.role !== "assistant") return {};
  for (const promptsFrom of ["steering", "followUp"] as const) {
    const prompts = store[promptsFrom].take();
    if (prompts.length > 0) return { prompts, promptsFrom };
  }
  throw new Error("Cannot continue from message role: assistant");
}
