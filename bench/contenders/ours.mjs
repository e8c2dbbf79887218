import { Agent } from "pi-agent-rx";
import { agentClass } from "./agentClass.mjs";

export const workloads = agentClass(Agent);
