import type { RunInput } from "./AgentRun";
import type { AgentStore } from "./AgentStore";

/** What `continue()` begins with: the transcript as it is, or queued messages when it ends with an answer. */
export function continuation({ state, steering, followUp }: AgentStore): RunInput {
  const last = state.messages.at(-1);
  if (!last || state.messages.every((message) => message.role === "system")) {
    throw new Error("No messages to continue from");
  }
  if (last.role !== "assistant") return {};
  const steered = steering.take();
  if (steered.length > 0) return { prompts: steered, promptsFrom: "steering" };
  const followed = followUp.take();
  if (followed.length > 0) return { prompts: followed, promptsFrom: "followUp" };
  throw new Error("Cannot continue from message role: assistant");
}
