import { Agent } from "pi-agent-rx";
import type { DiagramOptions } from "pi-agent-rx/testing";

/** What the diagrams of this folder run on. */
export const agents: DiagramOptions = { agent: (options) => new Agent(options) };
