import { Agent as PiAgent } from "@earendil-works/pi-agent-core";
import type { AgentClass } from "./driver/agentLike";

export const Oracle = PiAgent as unknown as AgentClass;
