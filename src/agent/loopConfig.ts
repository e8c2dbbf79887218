import type { AgentLoopConfig } from "../types/config";
import type { PrepareNextTurnContext } from "../types/hooks";
import type { AgentSettings } from "../types/options";
import type { AgentStore } from "./AgentStore";

// Read when it is called, since it may be assigned while the run goes on.
function prepareNextTurn(settings: AgentSettings, signal: AbortSignal): AgentLoopConfig["prepareNextTurn"] {
  if (!settings.prepareNextTurnWithContext && !settings.prepareNextTurn) return undefined;
  return (context: PrepareNextTurnContext) => {
    const withContext = settings.prepareNextTurnWithContext;
    return withContext ? withContext(context, signal) : settings.prepareNextTurn?.(signal);
  };
}

/** The loop's configuration for the next run of an agent, as its settings are now. */
export function loopConfig(
  settings: AgentSettings,
  store: AgentStore,
  signal: AbortSignal,
  skipFirstSteering: boolean,
): AgentLoopConfig {
  const { state, steering, followUp } = store;
  let skip = skipFirstSteering;
  return {
    model: state.model,
    reasoning: state.thinkingLevel === "off" ? undefined : state.thinkingLevel,
    sessionId: settings.sessionId,
    onPayload: settings.onPayload,
    onResponse: settings.onResponse,
    onProviderStreamEvent: settings.onProviderStreamEvent,
    transport: settings.transport,
    thinkingBudgets: settings.thinkingBudgets,
    maxRetryDelayMs: settings.maxRetryDelayMs,
    identity: settings.identity,
    toolExecution: settings.toolExecution,
    toolConcurrency: settings.toolConcurrency,
    abortGraceMs: settings.abortGraceMs,
    operators: settings.operators,
    beforeToolCall: settings.beforeToolCall,
    afterToolCall: settings.afterToolCall,
    finishTurn: settings.finishTurn,
    prepareRequest: settings.prepareRequest,
    prepareNextTurn: prepareNextTurn(settings, signal),
    convertToLlm: settings.convertToLlm,
    transformContext: settings.transformContext,
    getApiKey: settings.getApiKey,
    getSteeringMessages: () => {
      if (!skip) return steering.take();
      skip = false;
      return [];
    },
    getFollowUpMessages: () => followUp.take(),
    onUndelivered: (messages, queue) => store[queue].giveBack(messages),
  };
}
