// For UIs: from events to what is shown.
export type { EventOf } from "./EventOf";
export { ofType } from "./ofType";
export { status, type AgentStatus } from "./status";
export { textDeltas } from "./textDeltas";
export { thinkingDeltas } from "./thinkingDeltas";
export { toolCalls, type ToolCallProgress } from "./toolCalls";
export { turns, type Turn } from "./turns";
export { usageTotals, type UsageTotals } from "./usageTotals";
