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

class State {
  isStreaming = false;
  streamingMessage: AgentMessage | undefined;
  errorMessage: string | undefined;
  readonly #calls: PendingCalls;
  readonly #onChange: () => void;
  #messages: AgentMessage[];
  #tools: AnyAgentTool[];
  #model: Model<Api>;
  #thinkingLevel: ThinkingLevel;

  constructor(initial: ReactiveInitialState, calls: PendingCalls, onChange: () => void) {
    this.#messages = initialMessages(initial);
    this.#tools = [...(initial.tools ?? [])];
    this.#model = initial.model ?? UNKNOWN_MODEL;
    this.#thinkingLevel = initial.thinkingLevel ?? "off";
    this.#calls = calls;
    this.#onChange = onChange;
    Object.defineProperties(this, ACCESSORS);
  }
  get systemPrompt() {
    return getCurrentSystemPrompt(this.#messages);
  }
  get model() {
    return this.#model;
  }
  set model(next) {
    check.object("state.model", next);
    this.#model = next;
    this.#onChange();
  }
  get thinkingLevel() {
    return this.#thinkingLevel;
  }
  set thinkingLevel(next) {
    check.oneOf("state.thinkingLevel", next, THINKING_LEVELS);
    this.#thinkingLevel = next;
    this.#onChange();
  }
  get tools(): AgentState["tools"] {
    return this.#tools as AgentState["tools"];
  }
  set tools(next: AnyAgentTool[]) {
    check.tools("state.tools", next);
    this.#tools = [...next];
    this.#onChange();
  }
  get messages() {
    return this.#messages;
  }
  set messages(next) {
    check.messages("state.messages", next);
    this.#messages = [...next];
    this.#onChange();
  }
  get pendingToolCalls() {
    return this.#calls.ids;
  }
}

// The accessors of a class are shared, and so is the shape of the objects. Accessors in a literal make a shape for each object,
// and V8 keeps it, with all that it sees, until it collects the old generation.
const { constructor: _, ...ACCESSORS } = Object.getOwnPropertyDescriptors(State.prototype);
for (const accessor of Object.values(ACCESSORS)) accessor.enumerable = true;

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
  return new State(initial, calls, onChange);
}
