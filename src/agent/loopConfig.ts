import { awaited } from "../internal/awaited";
import { pick } from "../internal/pick";
import type { ReactiveLoopConfig } from "../types/config";
import type { HookOutput, PrepareNextTurnContext, ReactiveTurnUpdate } from "../types/hooks";
import type { AgentSettings } from "../types/options";
import { LOOP_SETTINGS } from "./LOOP_SETTINGS";
import type { AgentStore } from "./AgentStore";

// Read when it is called, since it may be assigned while the run goes on.
function prepareNextTurn(
  settings: AgentSettings,
  signal: AbortSignal,
): ReactiveLoopConfig["prepareNextTurn"] {
  if (!settings.prepareNextTurnWithContext && !settings.prepareNextTurn) return undefined;
  return (context: PrepareNextTurnContext) => {
    const { prepareNextTurnWithContext: withContext } = settings;
    if (!withContext) return settings.prepareNextTurn?.(signal);
    const output = withContext(context, signal) as HookOutput<ReactiveTurnUpdate | undefined>;
    return awaited("prepareNextTurnWithContext", output) ?? output;
  };
}

/** The loop's configuration for the next run of an agent, as its settings are now. */
export function loopConfig(
  settings: AgentSettings,
  store: AgentStore,
  signal: AbortSignal,
  skipFirstSteering: boolean,
): ReactiveLoopConfig {
  const { state, steering, followUp } = store;
  let skip = skipFirstSteering;
  const config = pick(settings, LOOP_SETTINGS) as ReactiveLoopConfig;
  config.model = state.model;
  config.reasoning = state.thinkingLevel === "off" ? undefined : state.thinkingLevel;
  config.prepareNextTurn = prepareNextTurn(settings, signal);
  config.getSteeringMessages = () => {
    if (!skip) return steering.take();
    skip = false;
    return [];
  };
  config.getFollowUpMessages = () => followUp.take();
  config.onUndelivered = (messages, queue) => store[queue].giveBack(messages);
  // Named here, so that the options of a request are a copy without new names, which is cheap.
  config.signal = signal;
  config.apiKey = undefined;
  return config;
}
