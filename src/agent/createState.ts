import { getCurrentSystemPrompt, type Api, type Model } from "@earendil-works/pi-ai";
import { check } from "../internal/check";
import { expected } from "../internal/expected";
import type { AgentMessage, ThinkingLevel } from "../types/messages";
import type { ReactiveInitialState, AgentState } from "../types/state";
import type { AnyAgentTool } from "../types/tool";
import { initialMessages } from "./initialMessages";
import type { PendingCalls } from "./PendingCalls";
import { UNKNOWN_MODEL } from "./UNKNOWN_MODEL";

const THINKING_LEVELS: readonly ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

/** An agent's state as its own code writes it. */
export type WritableState = { -readonly [K in keyof AgentState]: AgentState[K] };

function checkInitial(initial: ReactiveInitialState): void {
  check.object("initialState", initial);
  const { systemPrompt = "" } = initial;
  if (typeof systemPrompt !== "string") throw expected("initialState.systemPrompt", "text", systemPrompt);
  if (initial.tools !== undefined) check.tools("initialState.tools", initial.tools);
  if (initial.messages !== undefined) check.messages("initialState.messages", initial.messages);
  if (initial.model !== undefined) check.object("initialState.model", initial.model);
  check.oneOf("initialState.thinkingLevel", initial.thinkingLevel, THINKING_LEVELS, true);
}

/**
 * Makes the state object of an agent. Its fields are its own, so it can be spread.
 *
 * @param onChange - Called after each assignment from outside.
 */
export function createState(
  initial: ReactiveInitialState,
  calls: PendingCalls,
  onChange: () => void,
): WritableState {
  checkInitial(initial);
  let tools = [...(initial.tools ?? [])];
  let messages = initialMessages(initial);
  let model: Model<Api> = initial.model ?? UNKNOWN_MODEL;
  let thinkingLevel: ThinkingLevel = initial.thinkingLevel ?? "off";
  return {
    get systemPrompt() {
      return getCurrentSystemPrompt(messages);
    },
    get model() {
      return model;
    },
    set model(next) {
      check.object("state.model", next);
      model = next;
      onChange();
    },
    get thinkingLevel() {
      return thinkingLevel;
    },
    set thinkingLevel(next) {
      check.oneOf("state.thinkingLevel", next, THINKING_LEVELS);
      thinkingLevel = next;
      onChange();
    },
    get tools(): AgentState["tools"] {
      return tools as AgentState["tools"];
    },
    set tools(next: AnyAgentTool[]) {
      check.tools("state.tools", next);
      tools = [...next];
      onChange();
    },
    get messages(): AgentMessage[] {
      return messages;
    },
    set messages(next) {
      check.messages("state.messages", next);
      messages = [...next];
      onChange();
    },
    isStreaming: false,
    streamingMessage: undefined,
    get pendingToolCalls() {
      return calls.ids;
    },
    errorMessage: undefined,
  };
}
