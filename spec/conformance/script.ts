/**
 * The words of a script: everything the outside world does to an agent, as plain data that fast-check can draw, shrink
 * and print. Times are virtual milliseconds.
 */

/** When an asynchronous thing answers: as a plain value, as a settled promise, or after that many milliseconds. */
export type Delay = "sync" | "promise" | number;

export type MessageSpec =
  | { role: "user"; text: string; images?: number }
  | { role: "system"; text?: string; sections?: Record<string, string | null>; tools?: number[] }
  | { role: "note"; text: string }
  | { role: "assistant"; text: string; call?: string }
  | { role: "toolResult"; text: string; call: string };

export type Level = "off" | "low" | "high";
export type Mode = "sequential" | "parallel";
export type QueueMode = "all" | "one-at-a-time";

// --- the model -------------------------------------------------------------------------------------------------

export interface ResultSpec {
  content: string[] | "missing";
  details?: string;
  structured?: number;
  isError?: true;
  terminate?: boolean;
  usage?: number;
}

export type ToolOutcome =
  { returns: ResultSpec } | { throws: "error" | "string" | "undefined" } | "nothing" | "never";

/** What one tool call does once it runs. An update later than the settling is a late one. */
export interface Behaviour {
  settles: Delay;
  updates: number[];
  outcome: ToolOutcome;
  /** What the tool does when its signal aborts: it rejects after so many milliseconds, or takes no notice. */
  onAbort?: "ignores" | number;
}

export type ArgsSpec = "valid" | "coerced" | "renamed" | "invalid" | "broken";

export interface CallSpec {
  tool: string;
  args: ArgsSpec;
  does: Behaviour;
  /** Given only where two calls share an id. */
  id?: string;
}

export type BlockSpec = { text: string } | { thinking: string } | { call: CallSpec };

export type EndSpec =
  | { done: "stop" | "toolUse" | "length" }
  | { error: "error" | "aborted"; message?: string }
  | { result: "stop" | "toolUse" | "length" | "error" }
  | { breaks: string }
  | "never"
  | "no result";

export interface ResponseSpec {
  from: "stream" | "promise" | "iterator" | "throws" | "rejects";
  /** Milliseconds before the first event, and between two of them; 0 is in one go. */
  opens: number;
  pace: number;
  /** Partial events, or straight to the terminal one; without a start event, partial events mean nothing. */
  streamed: boolean;
  start: boolean;
  /** One object that is changed as it grows, as pi-ai's providers do, or a fresh copy an event. */
  live: boolean;
  blocks: BlockSpec[];
  end: EndSpec;
  /** Events after the terminal one. */
  trailing: number;
  /** What the provider does when its signal aborts: it ends as aborted after so many ms, or takes no notice. */
  onAbort?: "ignores" | number;
}

export interface ToolSpec {
  name: string;
  description: string;
  mode?: Mode;
  prepare?: "same" | "rename" | "throws";
}

// --- hooks -----------------------------------------------------------------------------------------------------

/** `acts[n]` is what the n-th invocation does; `null`, and every later one, does nothing. */
export interface HookSpec<Act> {
  delay: Delay;
  acts: (Act | null)[];
}

export type BeforeAct = { block: true; reason?: string; terminate?: boolean } | "mutate" | "throw" | "never";
export type AfterAct = Partial<ResultSpec & { error: boolean }> | "throw" | "never";
export type ContextChange = "same" | "append" | "shorten" | "retool" | "fresh";
export interface RequestAct {
  context?: ContextChange;
  model?: number;
  level?: Level;
}
export interface NextTurnAct extends RequestAct {
  messages?: MessageSpec[];
}

export interface HookSpecs {
  beforeToolCall?: HookSpec<BeforeAct>;
  afterToolCall?: HookSpec<AfterAct>;
  prepareRequest?: HookSpec<RequestAct | "throw" | "never">;
  finishTurn?: HookSpec<"continue" | "end" | "throw" | "never">;
  prepareNextTurn?: HookSpec<NextTurnAct | "throw" | "never">;
  prepareNextTurnWithContext?: HookSpec<NextTurnAct | "throw" | "never">;
  transformContext?: HookSpec<"shorten" | "append" | "throw" | "never">;
  convertToLlm?: HookSpec<"throw" | "never">;
  getApiKey?: HookSpec<"key" | "throw" | "never">;
}

// --- the user --------------------------------------------------------------------------------------------------

/** An action that needs nothing but its name. */
export type Immediate =
  "clearSteering" | "clearFollowUp" | "clearAll" | "peek" | "reset" | "prompt" | "continue" | "idle";

export type Action =
  | { do: "steer" | "followUp"; message: MessageSpec; twice?: true }
  | { do: "abort" }
  | { do: Immediate }
  | { do: "steeringMode" | "followUpMode"; mode: QueueMode }
  | { do: "tools"; tools: number[] }
  | { do: "model"; model: number }
  | { do: "level"; level: Level }
  | { do: "messages"; keep: number; add: MessageSpec[] }
  | { do: "push"; message: MessageSpec }
  | { do: "toolExecution"; mode: Mode }
  | { do: "sessionId"; value: string }
  | { do: "dropHook"; hook: keyof HookSpecs }
  | { do: "subscribe" }
  | { do: "unsubscribe"; listener: number };

export type EventType =
  | "agent_start"
  | "turn_start"
  | "message_start"
  | "message_update"
  | "message_end"
  | "tool_execution_start"
  | "tool_execution_update"
  | "tool_execution_end"
  | "turn_end"
  | "agent_end";

/** On the `nth` event of a type (from 0), before the listener's own delay. */
export interface Reaction {
  on: EventType;
  nth: number;
  action: Action;
}

export interface ListenerSpec {
  delays: Partial<Record<EventType, Delay>>;
  reactions: Reaction[];
  /** Invariant scripts only: the listener fails there. */
  fails?: { on: EventType; nth: number; how: "throws" | "rejects" }[];
}

/** Invariant scripts only: an observer of `events$` or `state$`. */
export interface ObserverSpec {
  of: "events" | "state";
  reactions: Reaction[];
  throwsOn?: number;
}

export type PromptInput =
  { text: string; images?: number } | { message: MessageSpec } | { batch: MessageSpec[] };

/** Invariant scripts only: the run is watched as an observable, and left after so many milliseconds. */
export interface Watched {
  watched?: "to its end" | number;
}

export type Step =
  | ({ step: "prompt"; input: PromptInput; sameTick: Action[] } & Watched)
  | ({ step: "continue"; sameTick: Action[] } & Watched)
  | { step: "act"; action: Action }
  | { step: "wait"; ms: number };

export interface Script {
  agent: {
    toolExecution?: Mode;
    steeringMode?: QueueMode;
    followUpMode?: QueueMode;
    sessionId?: string;
    identity?: string | null;
    thinkingBudgets?: number;
    transport?: "sse" | "websocket";
    maxRetryDelayMs?: number;
    callbacks?: true;
    abortGraceMs?: number;
    toolConcurrency?: number;
  };
  initial: { systemPrompt?: string; tools: number[]; messages: MessageSpec[]; model: number; level: Level };
  palette: ToolSpec[];
  responses: ResponseSpec[];
  hooks: HookSpecs;
  listeners: ListenerSpec[];
  observers?: ObserverSpec[];
  actions: { at: number; action: Action }[];
  steps: Step[];
}

/** A script for the functions under the Agent. */
export interface LoopScript extends Script {
  loop: {
    entry: "agentLoop" | "agentLoopContinue" | "runAgentLoop" | "runAgentLoopContinue";
    prompts: MessageSpec[];
    /** What the n-th poll of each queue gives. */
    steering: MessageSpec[][];
    followUps: MessageSpec[][];
    withSignal: boolean;
    /** For `runToolCall`. */
    call: CallSpec;
  };
}
