import * as rx from "pi-agent-rx";
import type { DiagramOptions } from "pi-agent-rx/testing";
import { contextOperators } from "./contextOperators";
import { eventOperators } from "./eventOperators";
import { policies } from "./policies";
import { proxyOperators } from "./proxyOperators";
import { stages } from "./stages";

/** What the diagrams of this folder run on: the Agent, or the stage or operator that they name. */
export const agents: DiagramOptions = {
  agent: (options) => new rx.Agent(options),
  operators: { ...stages, ...contextOperators, ...eventOperators, ...proxyOperators },
  policies,
};
