import type { Agent, AgentEvent, AgentMessage, AgentOptions } from "@earendil-works/pi-agent-core";
import type { Observable } from "rxjs";

/** The public side of pi's Agent, which both implementations must have. */
export type AgentLike = Omit<Pick<Agent, keyof Agent>, "abort"> & {
  /** pi takes no reason. */
  abort(reason?: unknown): void;
};

/** What only ours has. */
export interface Reactive {
  events$: Observable<AgentEvent>;
  state$: Observable<object>;
  prompt$(input: string | AgentMessage | AgentMessage[]): Observable<AgentEvent>;
  continue$(): Observable<AgentEvent>;
  queued: { steering: readonly AgentMessage[]; followUp: readonly AgentMessage[] };
}

export type Options = AgentOptions & { abortGraceMs?: number; toolConcurrency?: number };

export type AgentClass = new (options: Options) => AgentLike;

export function isReactive(agent: AgentLike): agent is AgentLike & Reactive {
  return "events$" in agent;
}

export function queuesOf(agent: AgentLike): Reactive["queued"] | undefined {
  return isReactive(agent) ? agent.queued : undefined;
}
