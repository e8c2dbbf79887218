import * as rx from "pi-agent-rx";
import type { DiagramOperator } from "pi-agent-rx/testing";
import { concatMap, tap } from "rxjs";

/** The stages by name, and the bare loop: a run for each value of the source. */
export const stages: Record<string, DiagramOperator> = {
  announceTools: ({ options }) => {
    const context: rx.AgentContextInit = { messages: [], tools: options.initialState!.tools };
    const announced = rx.announceTools({ context: () => context });
    return (pending$: Parameters<typeof announced>[0]) =>
      pending$.pipe(
        announced,
        tap((messages) => context.messages.push(...messages)),
      );
  },
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
  agentRun: ({ gate, control, options }) => {
    const { streamFn, initialState } = options;
    const { model, tools } = initialState!;
    const config = { ...options, model: model!, convertToLlm: (messages: rx.AgentMessage[]) => messages };
    return concatMap((prompts: rx.AgentMessage[]) =>
      rx.agentRun({
        ...{ prompts, gate, streamFn, signal: control.signal },
        context: { messages: [], tools },
        config: config as rx.ReactiveLoopConfig,
      }),
    );
  },
};
