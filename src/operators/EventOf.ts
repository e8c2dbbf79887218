import type { AgentEvent } from "../types/event";

/** The event of this type. */
export type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;
