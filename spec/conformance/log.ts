import type { Action, EventType } from "./script";

/** A deep copy of plain data, made when it was seen. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

export interface StateView {
  isStreaming: boolean;
  streaming: Plain;
  pending: string[];
  error: string | null;
  count: number;
}

interface At {
  at: number;
}

/** One listener was shown one event. */
export interface EventEntry extends At {
  kind: "event";
  listener: number;
  type: EventType;
  event: Plain;
  /** Which known object the event's message is, by identity. */
  message: string | null;
  state: StateView;
  signal: "live" | "aborted" | "missing";
}

/** That listener is done with it. */
export interface HeardEntry extends At {
  kind: "heard";
  listener: number;
  type: EventType;
  failed: boolean;
}

export interface RequestEntry extends At {
  kind: "request";
  nth: number;
  model: string;
  messages: Plain;
  identities: string[];
  options: Plain;
  aborted: boolean | null;
}

export interface StreamClosedEntry extends At {
  kind: "streamClosed";
  nth: number;
}

export interface HookEntry extends At {
  kind: "hook";
  hook: string;
  nth: number;
  sees: Plain;
  aborted: boolean | null;
  act: Plain;
}

export interface ToolEntry extends At {
  kind: "tool";
  phase: "starts" | "settles";
  call: string;
  args: Plain;
  aborted: boolean | null;
}

export interface ActionEntry extends At {
  kind: "action";
  from: string;
  action: Action;
  outcome: Plain;
}

export interface StepEntry extends At {
  kind: "step";
  nth: number;
  phase: "begins" | "returned" | "settled";
  step: string;
  outcome: string;
  /** What it gave, on the low level. */
  gave?: Plain;
  /** How many events the first listener had been shown by then. */
  seen: number;
}

/** An observer of `events$`, of `state$` or of one run was shown something, and perhaps threw. */
export interface ObservedEntry extends At {
  kind: "observed";
  observer: number;
  of: "events" | "state" | "run";
  value: Plain;
  throws: boolean;
}

/** Something that was shown, and must not change, has changed. */
export interface ChangedEntry extends At {
  kind: "changed";
  what: string;
}

/** Something escaped the library, or the script would not come to rest. */
export interface TroubleEntry extends At {
  kind: "trouble";
  what: "unhandled rejection" | "uncaught exception" | "rx unhandled error" | "hangs" | "never rests";
  detail: string;
}

export interface FinalEntry extends At {
  kind: "final";
  transcript: Plain;
  identities: string[];
  state: StateView;
  systemPrompt: string;
  tools: string[];
  queued: Plain;
  hasQueued: boolean;
}

/** A snapshot of state and queues once a run has settled. */
export interface RestEntry extends At {
  kind: "rest";
  after: number;
  /** The whole queues, in scripts of our own. */
  steering: string[] | null;
  followUp: string[] | null;
  transcript: Plain;
  identities: string[];
  state: StateView;
  queued: string[];
  hasQueued: boolean;
}

export type Entry =
  | EventEntry
  | HeardEntry
  | RequestEntry
  | StreamClosedEntry
  | HookEntry
  | ToolEntry
  | ActionEntry
  | StepEntry
  | ObservedEntry
  | ChangedEntry
  | TroubleEntry
  | RestEntry
  | FinalEntry;

/** Everything that happened, in the order it happened. */
export type Log = Entry[];

export function entriesOf<K extends Entry["kind"]>(log: Log, kind: K): Extract<Entry, { kind: K }>[] {
  return log.filter((entry): entry is Extract<Entry, { kind: K }> => entry.kind === kind);
}
