import type { AgentOperators } from "../types/config";

/** What `operators.response` takes. */
export type ResponsePolicy = NonNullable<AgentOperators["response"]>;
