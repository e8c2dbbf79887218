import { RUN_HOOKS } from "../internal/RUN_HOOKS";

/** The settings of an agent that its runs take over as they are. */
export const LOOP_SETTINGS = [
  ...RUN_HOOKS,
  "sessionId",
  "thinkingBudgets",
  "transport",
  "maxRetryDelayMs",
  "toolExecution",
  "toolConcurrency",
  "abortGraceMs",
  "operators",
  "identity",
] as const;
