import { Agent } from "@earendil-works/pi-agent-core";
import { agentClass } from "./agentClass.mjs";

export const workloads = agentClass(Agent);
