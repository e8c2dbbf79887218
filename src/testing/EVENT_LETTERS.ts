import type { AgentEvent } from "../types/event";

/** The letter of each agent event in a marble row: a capital opens, its small letter closes. */
export const EVENT_LETTERS = {
  agent_start: "A",
  agent_end: "a",
  turn_start: "T",
  turn_end: "t",
  message_start: "M",
  message_update: "u",
  message_end: "m",
  tool_execution_start: "X",
  tool_execution_update: "p",
  tool_execution_end: "x",
} as const satisfies Record<AgentEvent["type"], string>;
