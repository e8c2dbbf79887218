import { Agent, type AgentEvent, type ReactiveAgentOptions, type AnyAgentTool } from "pi-agent-rx";
import { model } from "./messages";
import { scripted, type Response } from "./provider";

export interface SetUp extends Partial<ReactiveAgentOptions> {
  responses?: Response[];
  tools?: AnyAgentTool[];
}

/** An agent on a scripted provider, and what it tells its first listener. */
export function setUp({ responses = [], tools = [], initialState, ...options }: SetUp = {}) {
  const provider = scripted(responses);
  const agent = new Agent({
    streamFn: provider.streamFn,
    ...options,
    initialState: { model, tools, ...initialState },
  });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  return { agent, events, requests: provider.requests };
}

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** All events of one type. */
export function only<T extends AgentEvent["type"]>(events: readonly AgentEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The last event, which must be the run's end. */
export function endOf(events: readonly AgentEvent[]): EventOf<"agent_end"> {
  const last = events.at(-1);
  if (last?.type !== "agent_end") throw new Error(`the last event is ${last?.type}`);
  return last;
}
