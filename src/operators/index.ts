// For UIs: from events to what is shown.
export { conversation, type ConversationOptions } from "./conversation";
export type { ConversationSeed } from "./ConversationSeed";
export type {
  ConversationItem,
  FailureItem,
  MessageItem,
  TextItem,
  ToolCallItem,
  ToolCallItemState,
  UserItem,
} from "./ConversationView";
export type { EventOf } from "./EventOf";
export { ConversationView } from "./ConversationView";
export { ofType } from "./ofType";
export { status, type AgentStatus } from "./status";
export { textDeltas } from "./textDeltas";
export { thinkingDeltas } from "./thinkingDeltas";
export { toolCalls, type ToolCallProgress } from "./toolCalls";
export { turns, type Turn } from "./turns";
export { usageTotals, type UsageTotals } from "./usageTotals";

// How often, and where to.
export { coalesce, type CoalesceOptions } from "./coalesce";
export { toAsyncIterable } from "./toAsyncIterable";
export { toReadableStream, type BufferOptions, type ListenedTo } from "./toReadableStream";
export { toStore, type Store } from "./toStore";

// Policies for `operators.response`.
export { composePolicies } from "./composePolicies";
export { fallbackTo, type FallbackOptions } from "./fallbackTo";
export { idleTimeout } from "./idleTimeout";
export { RateBudget, type RateBudgetOptions, type Settle } from "./RateBudget";
export { rateLimit, type RateLimitOptions } from "./rateLimit";
export type { ResponsePolicy } from "./ResponsePolicy";
export type { RetryOptions } from "./RetryOptions";
export { retryResponse, type RetryResponseOptions } from "./retryResponse";
export { totalTimeout } from "./totalTimeout";

// Policies for `operators.toolCall`.
export {
  approval,
  type Approval,
  type ApprovalDecision,
  type ApprovalOptions,
  type PendingApproval,
} from "./approval";
export { memoizeTool, type MemoizeToolOptions } from "./memoizeTool";
export { retryTool, type RetryToolOptions } from "./retryTool";
export type { ToolCallPolicy } from "./ToolCallPolicy";
export { toolTimeout } from "./toolTimeout";

// For `finishTurn`.
export { limits, type RunLimits } from "./limits";
