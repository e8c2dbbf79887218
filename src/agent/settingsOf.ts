import type { Message } from "@earendil-works/pi-ai";
import { check } from "../internal/check";
import { checkSettings } from "../internal/checkSettings";
import { defaultStreamFn } from "../internal/defaultStreamFn";
import type { AgentMessage } from "../types/messages";
import type { AgentOptions, AgentSettings } from "../types/options";

function isLlmMessage({ role }: AgentMessage): boolean {
  return role === "user" || role === "assistant" || role === "toolResult" || role === "system";
}

function llmMessages(messages: AgentMessage[]): Message[] {
  return messages.filter(isLlmMessage);
}

/** Checks the options of an agent; gives its settings, with their defaults. */
export function settingsOf(options: AgentOptions): AgentSettings {
  checkSettings(options);
  const { streamFn } = options;
  if (streamFn) check.function("streamFn", streamFn);
  check.oneOf("steeringMode", options.steeringMode, ["all", "one-at-a-time"]);
  check.oneOf("followUpMode", options.followUpMode, ["all", "one-at-a-time"]);
  return {
    convertToLlm: options.convertToLlm ?? llmMessages,
    transformContext: options.transformContext,
    streamFunction: streamFn ?? defaultStreamFn.get(),
    getApiKey: options.getApiKey,
    onPayload: options.onPayload,
    onResponse: options.onResponse,
    onProviderStreamEvent: options.onProviderStreamEvent,
    beforeToolCall: options.beforeToolCall,
    afterToolCall: options.afterToolCall,
    finishTurn: options.finishTurn,
    prepareRequest: options.prepareRequest,
    prepareNextTurn: options.prepareNextTurn,
    prepareNextTurnWithContext: options.prepareNextTurnWithContext,
    sessionId: options.sessionId,
    thinkingBudgets: options.thinkingBudgets,
    transport: options.transport ?? "auto",
    maxRetryDelayMs: options.maxRetryDelayMs,
    toolExecution: options.toolExecution ?? "parallel",
    toolConcurrency: options.toolConcurrency,
    abortGraceMs: options.abortGraceMs,
    operators: options.operators,
    identity: options.identity,
  } as AgentSettings;
}
