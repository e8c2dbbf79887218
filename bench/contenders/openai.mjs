import { Agent, run, setTracingDisabled, tool, Usage } from "@openai/agents";
import { z } from "zod";
import { peerWorkloads } from "../script.mjs";

setTracingDisabled(true);

function model(next) {
  return {
    getResponse: () => Promise.reject(new Error("the benchmark streams")),
    async *getStreamedResponse() {
      const { deltas = 0, calls = [] } = next();
      yield { type: "response_started" };
      for (let at = 0; at < deltas; at++) yield { type: "output_text_delta", delta: "x" };
      const message = {
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "x".repeat(deltas) }],
      };
      const output = calls.map((id) => ({
        type: "function_call",
        callId: id,
        name: "echo",
        status: "completed",
        arguments: JSON.stringify({ value: id }),
      }));
      if (deltas > 0) output.push(message);
      yield { type: "response_done", response: { id: "response", usage: new Usage(), output } };
    },
  };
}

export const workloads = peerWorkloads(async (script, { turns, echo }) => {
  const agent = new Agent({
    name: "bench",
    instructions: "You are helpful.",
    model: model(script),
    tools: [
      tool({
        name: "echo",
        description: "Gives the value back",
        parameters: z.object({ value: z.string() }),
        execute: async (input) => echo(input),
      }),
    ],
  });
  const result = await run(agent, "go", { stream: true, maxTurns: turns });
  let deltas = 0;
  for await (const event of result) {
    if (event.type === "raw_model_stream_event" && event.data.type === "output_text_delta") deltas++;
  }
  await result.completed;
  return deltas;
});
