import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import { peerWorkloads } from "../script.mjs";

// Otherwise callbacks run in the background, and a stream of messages ends before the events of 40 calls have come.
process.env.LANGCHAIN_CALLBACKS_BACKGROUND = "false";

class Model extends BaseChatModel {
  constructor(next) {
    super({});
    this.next = next;
  }

  _llmType() {
    return "bench";
  }

  bindTools() {
    return this;
  }

  _generate() {
    throw new Error("the benchmark streams");
  }

  async *_streamResponseChunks(_messages, _options, runManager) {
    const { deltas = 0, calls = [] } = this.next();
    for (let at = 0; at < deltas; at++) {
      yield new ChatGenerationChunk({ text: "x", message: new AIMessageChunk("x") });
      await runManager?.handleLLMNewToken("x");
    }
    if (calls.length > 0) {
      const tool_call_chunks = calls.map((id, index) => ({
        id,
        index,
        name: "echo",
        args: JSON.stringify({ value: id }),
        type: "tool_call_chunk",
      }));
      yield new ChatGenerationChunk({
        text: "",
        message: new AIMessageChunk({ content: "", tool_call_chunks }),
      });
    }
  }
}

export const workloads = peerWorkloads(async (script, { turns, echo }) => {
  const agent = createReactAgent({
    llm: new Model(script),
    prompt: "You are helpful.",
    tools: [
      tool(async (input) => echo(input), {
        name: "echo",
        description: "Gives the value back",
        schema: z.object({ value: z.string() }),
      }),
    ],
  });
  const events = await agent.stream(
    { messages: [{ role: "user", content: "go" }] },
    { streamMode: "messages", recursionLimit: 2 * turns + 2 },
  );
  let deltas = 0;
  for await (const [message] of events) if (message.content === "x") deltas++;
  return deltas;
});
