import type { Api, Model, ProviderStreams } from "@earendil-works/pi-ai";
import type { Answer } from "./answer";

/** A provider's wire format: what pi-ai needs to speak it, and what a scripted server answers in it. */
export interface Wire {
  readonly name: string;
  readonly path: string;
  /** A model behind `baseUrl`, which is the server's own address. */
  model(url: string): Model<Api>;
  api(): ProviderStreams;
  /** The SSE frames of an answer. */
  frames(answer: Answer): readonly string[];
  /** The body of an HTTP error. */
  failure(type: string, message: string): string;
  /** The API key a request was sent with. */
  keyOf(headers: Readonly<Record<string, unknown>>): unknown;
  /** The session id a request was sent with. */
  sessionOf(headers: Readonly<Record<string, unknown>>): unknown;
  /** What a request body says, in words that both wires share. */
  read(body: unknown): ReadRequest;
}

export interface ReadRequest {
  readonly system: string | undefined;
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly parameters: object;
  }[];
  /** Flat, in order: what each message says. */
  readonly said: readonly Said[];
  readonly thinking: unknown;
}

export type Said =
  | { readonly by: "user" | "assistant" | "thought"; readonly text: string }
  | { readonly by: "call"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly by: "result"; readonly id: string; readonly text: string; readonly isError?: boolean };

/** What the models of both wires have in common. */
export const MODEL = {
  input: ["text" as const],
  reasoning: true,
  cost: { input: 1, output: 5, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 8_000,
};

/** What the provider sends as an API key when the caller names none. */
export const STORED_KEY = "stored-key";
