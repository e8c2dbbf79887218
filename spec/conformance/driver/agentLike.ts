import type { Agent, AgentOptions } from "@earendil-works/pi-agent-core";

/** The public side of pi's Agent, which both implementations must have. */
export type AgentLike = Pick<Agent, keyof Agent>;

export type Options = AgentOptions & { abortGraceMs?: number };

export type AgentClass = new (options: Options) => AgentLike;
