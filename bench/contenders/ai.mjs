import { isStepCount, tool, ToolLoopAgent } from "ai";
import { z } from "zod";
import { aiSdkModel } from "../aiSdkModel.mjs";
import { peerWorkloads } from "../script.mjs";

export const workloads = peerWorkloads(async (script, { turns, echo }) => {
  const agent = new ToolLoopAgent({
    model: aiSdkModel(script),
    instructions: "You are helpful.",
    tools: {
      echo: tool({
        description: "Gives the value back",
        inputSchema: z.object({ value: z.string() }),
        execute: async (input) => echo(input),
      }),
    },
    stopWhen: isStepCount(turns),
  });
  const result = await agent.stream({ prompt: "go" });
  let deltas = 0;
  for await (const { type } of result.stream) if (type === "text-delta") deltas++;
  return deltas;
});
