import type { Message, SimpleStreamOptions } from "@earendil-works/pi-ai";

/** The options of a request that say something about it; callbacks, signal and hooks are left out. */
export type FakeRequestOptions = Pick<
  SimpleStreamOptions,
  | "apiKey"
  | "cacheRetention"
  | "headers"
  | "maxTokens"
  | "metadata"
  | "reasoning"
  | "sessionId"
  | "temperature"
  | "thinkingBudgets"
  | "toolChoice"
  | "transport"
>;

/** A request as a fake model got it: plain data, copied when it came. */
export interface FakeRequest {
  /** 1 for the first. */
  number: number;
  /** When it came, in ms of the clock that drives the run (virtual in a virtual-time test). */
  at: number;
  /** The id of the model that was asked. */
  model: string;
  messages: Message[];
  options: FakeRequestOptions;
}
