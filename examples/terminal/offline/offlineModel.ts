import {
  createAssistantMessageEventStream,
  type AssistantMessage,
  type Message,
  type Model,
} from "@earendil-works/pi-ai";
import type { StreamFn } from "pi-agent-rx";
import { respond, type Reply } from "./respond";
import { speak } from "./speak";

const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

const model: Model<"offline-rules"> = {
  id: "rules",
  name: "offline model: rule-based, no LLM",
  api: "offline-rules",
  provider: "offline",
  baseUrl: "",
  reasoning: false,
  input: ["text"],
  cost: free,
  contextWindow: 1_000_000,
  maxTokens: 100_000,
};

/**
 * A model for people without a key: rules that follow simple requests, speaking pi-ai's event protocol.
 *
 * It knows what any model knows, the transcript, and does what any model can, say something and call tools.
 *
 * @param reply - Other rules.
 */
export function offlineModel(
  paceMs: number,
  reply: (messages: Message[]) => Reply = respond,
): { model: Model<"offline-rules">; streamFn: StreamFn } {
  const streamFn: StreamFn = ({ api, provider, id }, { messages }, options) => {
    const stream = createAssistantMessageEventStream();
    const partial: AssistantMessage = {
      role: "assistant",
      content: [],
      api,
      provider,
      model: id,
      usage: { ...free, totalTokens: 0, cost: { ...free, total: 0 } },
      stopReason: "pending",
      timestamp: Date.now(),
    };
    speak(reply(messages), partial, paceMs, options?.signal).subscribe((event) => stream.push(event));
    return stream;
  };
  return { model, streamFn };
}
