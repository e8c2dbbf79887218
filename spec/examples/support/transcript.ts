import type { AssistantMessage, Message } from "@earendil-works/pi-ai";
import type { Reply } from "../../../examples/terminal/offline/respond";

const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };

/** A user message. */
export const asked = (content: string): Message => ({ role: "user", content, timestamp: 0 });

/** An empty assistant message. */
export const blank = (): AssistantMessage => ({
  role: "assistant",
  content: [],
  api: "spec",
  provider: "spec",
  model: "spec",
  usage: { ...none, totalTokens: 0, cost: none },
  stopReason: "pending",
  timestamp: 0,
});

/** A reply and the results of its calls, as a transcript holds them. */
export const turn = ({ text, calls }: Reply, results: (string | Error)[]): Message[] => {
  const id = () => crypto.randomUUID();
  const toolCalls = calls.map((call) => ({ type: "toolCall" as const, id: id(), ...call }));
  return [
    { ...blank(), content: [{ type: "text", text }, ...toolCalls], stopReason: "toolUse" },
    ...toolCalls.map((call, index): Message => {
      const result = results[index]!;
      const isError = result instanceof Error;
      return {
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: "text", text: isError ? result.message : result }],
        isError,
        timestamp: 0,
      };
    }),
  ];
};
