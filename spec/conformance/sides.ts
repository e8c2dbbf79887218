import * as pi from "@earendil-works/pi-agent-core";
import * as ours from "pi-agent-rx";
import type { AgentClass } from "./driver/agentLike";
import type { LowLevel } from "./driver/driveLoop";

/** What we are measured against. */
export const Oracle = pi.Agent as unknown as AgentClass;
export const oracle: LowLevel = pi;

export const Ours = ours.Agent as unknown as AgentClass;
export const our = ours as unknown as LowLevel;
