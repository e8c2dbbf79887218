// A program for pi: an agent whose provider is behind a server, and that server's events.
import {
  Agent,
  streamProxy,
  type ProxyAssistantMessageEvent,
  type ProxyStreamOptions,
  type StreamFn,
} from "@earendil-works/pi-agent-core";
import type { AssistantMessage, AssistantMessageEventStream } from "@earendil-works/pi-ai";

declare const usage: AssistantMessage["usage"];

const streamFn: StreamFn = (model, context, options) =>
  streamProxy(model, context, { ...options, authToken: "token", proxyUrl: "http://127.0.0.1:1" });

export const agent = new Agent({ streamFn });

export const options: ProxyStreamOptions = {
  authToken: "token",
  proxyUrl: "http://127.0.0.1:1",
  signal: new AbortController().signal,
  temperature: 1,
  maxTokens: 10,
  reasoning: "high",
  sessionId: "session",
  headers: {},
  metadata: {},
  transport: "auto",
  thinkingBudgets: {},
  maxRetryDelayMs: 1,
};

export const ask = (...args: Parameters<StreamFn>): AssistantMessageEventStream =>
  streamProxy(args[0], args[1], options);

export const events: ProxyAssistantMessageEvent[] = [
  { type: "start" },
  { type: "text_start", contentIndex: 0 },
  { type: "text_delta", contentIndex: 0, delta: "a" },
  { type: "text_end", contentIndex: 0, contentSignature: "s" },
  { type: "thinking_start", contentIndex: 1 },
  { type: "thinking_delta", contentIndex: 1, delta: "b" },
  { type: "thinking_end", contentIndex: 1 },
  { type: "toolcall_start", contentIndex: 2, id: "call", toolName: "read" },
  { type: "toolcall_delta", contentIndex: 2, delta: "{}" },
  {
    type: "toolcall_end",
    contentIndex: 2,
    toolCall: { type: "toolCall", id: "call", name: "read", arguments: {} },
  },
  { type: "done", reason: "toolUse", usage, providerThinkingLevel: "high" },
  { type: "error", reason: "aborted", errorMessage: "gone", usage },
];

// @ts-expect-error -- a delta belongs to a block
events.push({ type: "text_delta", delta: "a" });
// @ts-expect-error -- the server's address is required
export const nowhere: ProxyStreamOptions = { authToken: "token" };
