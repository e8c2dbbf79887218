import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";
import { defaultStreamFn } from "../internal/defaultStreamFn";
import { pick } from "../internal/pick";
import type { ReactiveAgentOptions, AgentSettings } from "../types/options";
import { llmMessages } from "./llmMessages";
import { LOOP_SETTINGS } from "./LOOP_SETTINGS";
import { QUEUE_MODES } from "./QUEUE_MODES";

/** Checks the options of an agent; gives its settings, with their defaults. */
export function settingsOf(options: ReactiveAgentOptions): AgentSettings {
  checkSettings(options);
  const { streamFn } = options;
  check.oneOf("steeringMode", options.steeringMode, QUEUE_MODES, true);
  check.oneOf("followUpMode", options.followUpMode, QUEUE_MODES, true);
  return {
    ...pick(options, [...LOOP_SETTINGS, "prepareNextTurn", "prepareNextTurnWithContext"]),
    convertToLlm: options.convertToLlm ?? llmMessages(),
    streamFunction: streamFn ?? defaultStreamFn.get(),
    transport: options.transport ?? "auto",
    toolExecution: options.toolExecution ?? "parallel",
  } as AgentSettings;
}
