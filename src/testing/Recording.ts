import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentEvent } from "../types/event";
import type { FakeRequest } from "./FakeRequest";

/** What happened to the queues. Messages have numbers, from when they were first queued. */
export type QueueFact =
  | { kind: "queued"; steering: number[]; followUp: number[] }
  /** Committed to the transcript. */
  | { kind: "delivered"; message: number }
  /** Dequeued or cleared by the user. */
  | { kind: "takenBack"; messages: number[] };

/** One thing that happened in a recorded run, `after` so many ms since the entry before. */
export type RecordingEntry = { after: number } & (
  | { kind: "event"; event: AgentEvent }
  /** An observer of `events$` was shown the event of this index, counted over the whole recording. */
  | { kind: "observed"; event: number }
  | { kind: "request"; request: FakeRequest }
  /** What the provider said to the request of this number. */
  | { kind: "provider"; request: number; event: AssistantMessageEvent }
  /** The provider's stream of this request failed, instead of telling an error. */
  | { kind: "providerFailed"; request: number; error: string }
  /** The provider's stream of this request ended without a terminal event. */
  | { kind: "providerEnded"; request: number }
  | QueueFact
  | { kind: "abort" }
  /** The agent has come to rest. */
  | { kind: "rest"; pendingToolCalls: number; streaming: boolean }
  /** A top-level field changed after it had been shown. */
  | { kind: "changed"; what: string }
  /** Something escaped, see `Recorder.trouble`. */
  | { kind: "trouble"; what: string }
);

/** A recorded run, or several, as plain JSON. */
export interface Recording {
  version: 1;
  entries: RecordingEntry[];
}
