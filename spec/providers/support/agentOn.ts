import { connect, type ConnectOptions } from "./connect";
import { Agent, type AgentEvent, type ReactiveAgentOptions } from "pi-agent-rx";
import type { SseServer } from "./sseServer";
import type { Wire } from "./wire";

export interface AgentOnOptions extends Partial<ReactiveAgentOptions> {
  readonly connect?: ConnectOptions;
}

/** An agent that talks to the server, and every event it has emitted. */
export function agentOn(
  wire: Wire,
  server: SseServer,
  { connect: connection, ...options }: AgentOnOptions = {},
) {
  const { model, streamFn } = connect(wire, server.url, connection);
  const agent = new Agent({
    streamFn,
    ...options,
    initialState: { model, systemPrompt: "Be brief.", ...options.initialState },
  });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  return { agent, events };
}
