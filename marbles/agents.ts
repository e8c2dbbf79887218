import * as rx from "pi-agent-rx";
import type { DiagramOptions } from "pi-agent-rx/testing";

/** What the diagrams of this folder run on: the Agent, or the stage that they name. */
export const agents: DiagramOptions = {
  agent: (options) => new rx.Agent(options),
  operators: {
    commitMessages: (parts) => rx.commitMessages(parts),
    prepareRequest: ({ control, options }) => rx.prepareRequest({ ...options, control }),
    transformContext: ({ control, options }) => rx.transformContext({ ...options, control }),
    convertToLlm: ({ options }) => rx.convertToLlm({ convertToLlm: options.convertToLlm! }),
    streamResponse: ({ options, ...parts }) => rx.streamResponse({ ...options, ...parts }),
    assistantEvents: ({ options, ...parts }) =>
      rx.assistantEvents({ ...parts, model: options.initialState!.model!, thinkingLevel: "off" }),
    toolStage: ({ options, ...parts }) => {
      const context = { messages: [], tools: options.initialState!.tools };
      return rx.toolStage({ ...options, ...parts, context });
    },
    endTurn: ({ options, ...parts }) => rx.endTurn({ ...parts, finishTurn: options.finishTurn }),
    schedule: ({ control, options }) => {
      const hooks = options as Partial<rx.ScheduleDeps>;
      const { getSteeringMessages, getFollowUpMessages, prepareNextTurn } = hooks;
      return rx.schedule({ control, getSteeringMessages, getFollowUpMessages, prepareNextTurn });
    },
  },
};
