import type { ReactiveLoopConfig } from "../types/config";
import type { RunControl } from "../types/gate";
import type { AgentMessage } from "../types/messages";
import { ask } from "./ask";
import type { Steps } from "./steps";

/** Messages that left a queue. */
export interface QueuedMessages {
  queue: "steering" | "followUp";
  messages: AgentMessage[];
}

/** What {@link takeQueued} needs. */
export interface TakeQueuedDeps extends Pick<
  ReactiveLoopConfig,
  "getSteeringMessages" | "getFollowUpMessages"
> {
  control: Pick<RunControl, "signal" | "deadline$">;
  /** Told of messages as soon as they left a queue. */
  onTaken?: (taken: QueuedMessages) => void;
}

/** Takes from a queue what the hook gives; nothing without a hook. */
export function* takeQueued(
  deps: TakeQueuedDeps,
  queue: QueuedMessages["queue"],
): Steps<never, QueuedMessages> {
  const name = queue === "steering" ? "getSteeringMessages" : "getFollowUpMessages";
  const poll = deps[name];
  const taken: QueuedMessages = { queue, messages: [] };
  const take = (messages: AgentMessage[] | undefined) => {
    if (!messages?.length) return;
    taken.messages = messages;
    deps.onTaken?.(taken);
  };
  if (poll) yield* ask(name, poll, take, deps.control);
  return taken;
}
