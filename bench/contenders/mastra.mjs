import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { aiSdkModel } from "../aiSdkModel.mjs";
import { peerWorkloads } from "../script.mjs";

export const workloads = peerWorkloads(async (script, { turns, echo }) => {
  const agent = new Agent({
    id: "bench",
    name: "bench",
    instructions: "You are helpful.",
    model: aiSdkModel(script),
    tools: {
      echo: createTool({
        id: "echo",
        description: "Gives the value back",
        inputSchema: z.object({ value: z.string() }),
        execute: async (input) => echo(input),
      }),
    },
  });
  const result = await agent.stream("go", { maxSteps: turns });
  let deltas = 0;
  for await (const { type } of result.fullStream) if (type === "text-delta") deltas++;
  return deltas;
});
