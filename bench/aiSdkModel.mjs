// A language model of the AI SDK's protocol, which `ai` and Mastra speak.

const count = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 };

function* parts({ deltas = 0, calls = [] }) {
  yield { type: "stream-start", warnings: [] };
  if (deltas > 0) yield { type: "text-start", id: "text" };
  for (let at = 0; at < deltas; at++) yield { type: "text-delta", id: "text", delta: "x" };
  if (deltas > 0) yield { type: "text-end", id: "text" };
  for (const id of calls) {
    yield { type: "tool-call", toolCallId: id, toolName: "echo", input: JSON.stringify({ value: id }) };
  }
  const reason = calls.length > 0 ? "tool-calls" : "stop";
  yield {
    type: "finish",
    finishReason: { unified: reason, raw: reason },
    usage: { inputTokens: count, outputTokens: count },
  };
}

/** `next` gives what to answer, request by request. */
export function aiSdkModel(next) {
  return {
    specificationVersion: "v4",
    provider: "bench",
    modelId: "bench",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("the benchmark streams")),
    doStream: async () => {
      const iterator = parts(next());
      const stream = new ReadableStream({
        pull(controller) {
          const { done, value } = iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
      return { stream };
    },
  };
}
