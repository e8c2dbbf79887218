import { chat, maxIterations, toolDefinition } from "@tanstack/ai";
import { BaseTextAdapter } from "@tanstack/ai/adapters";
import { z } from "zod";
import { peerWorkloads } from "../script.mjs";

class Adapter extends BaseTextAdapter {
  name = "bench";

  constructor(next) {
    super({}, "bench");
    this.next = next;
  }

  async *chatStream() {
    const { deltas = 0, calls = [] } = this.next();
    const run = { threadId: "thread", runId: "run", timestamp: 0 };
    yield { type: "RUN_STARTED", ...run };
    if (deltas > 0) {
      const messageId = "message";
      yield { type: "TEXT_MESSAGE_START", messageId, role: "assistant", timestamp: 0 };
      for (let at = 0; at < deltas; at++) {
        yield { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "x", timestamp: 0 };
      }
      yield { type: "TEXT_MESSAGE_END", messageId, timestamp: 0 };
    }
    for (const [index, toolCallId] of calls.entries()) {
      const delta = JSON.stringify({ value: toolCallId });
      yield {
        type: "TOOL_CALL_START",
        toolCallId,
        toolCallName: "echo",
        toolName: "echo",
        index,
        timestamp: 0,
      };
      yield { type: "TOOL_CALL_ARGS", toolCallId, delta, timestamp: 0 };
      yield { type: "TOOL_CALL_END", toolCallId, timestamp: 0 };
    }
    yield { type: "RUN_FINISHED", ...run, finishReason: calls.length > 0 ? "tool_calls" : "stop" };
  }

  structuredOutput() {
    return Promise.reject(new Error("the benchmark streams text"));
  }
}

export const workloads = peerWorkloads(async (script, { turns, echo }) => {
  const tools = [
    toolDefinition({
      name: "echo",
      description: "Gives the value back",
      inputSchema: z.object({ value: z.string() }),
    }).server(async (input) => echo(input)),
  ];
  const events = chat({
    adapter: new Adapter(script),
    systemPrompts: ["You are helpful."],
    messages: [{ role: "user", content: "go" }],
    tools,
    agentLoopStrategy: maxIterations(turns),
  });
  let deltas = 0;
  for await (const event of events) {
    if (event.type === "TEXT_MESSAGE_CONTENT") deltas++;
    if (event.type === "RUN_ERROR") throw new Error(event.message);
  }
  return deltas;
});
