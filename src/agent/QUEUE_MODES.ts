import type { QueueMode } from "../types/messages";

/** How many messages of a queue a turn takes. */
export const QUEUE_MODES: readonly QueueMode[] = ["all", "one-at-a-time"];
