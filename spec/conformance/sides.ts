import { Agent as PiAgent } from "@earendil-works/pi-agent-core";
import { Agent } from "pi-agent-rx";
import type { AgentClass } from "./driver/agentLike";

/** What we are measured against. */
export const Oracle = PiAgent as unknown as AgentClass;

export const Ours = Agent as unknown as AgentClass;
