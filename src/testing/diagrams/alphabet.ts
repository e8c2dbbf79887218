import type { AgentEvent } from "../../types/event";

/**
 * The letters of agent events in every diagram: a capital opens, its small letter closes.
 *
 * @remarks `A a` agent, `T t` turn, `M m` message, `u` its updates, `X x` tool execution, `p` its progress.
 */
export const alphabet = {
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
