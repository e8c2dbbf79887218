import type { AgentOperators } from "../types/config";

/** What `operators.toolCall` takes. */
export type ToolCallPolicy = NonNullable<AgentOperators["toolCall"]>;
