import { describe, expect, it } from "@jest/globals";
import { agentLoop, type AgentMessage, type ReactiveLoopConfig, type ReactiveStreamFn } from "pi-agent-rx";
import { assistant, config, context, system, user } from "../support/fixtures";
import { label } from "../support/label";
import { nothingStray } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const streamFn: ReactiveStreamFn = answers(assistant("done"));

describe("agentLoop", () => {
  nothingStray();

  it("runs the prompts on the context, which stays as it was", async () => {
    const given = context([system("be brief")]);
    const events = agentLoop([user("hi")], given, config(), undefined, streamFn);
    const seen: string[] = [];
    for await (const event of events) seen.push(label(event));
    expect(seen).toEqual([
      "agent_start",
      "turn_start",
      "message_start user",
      "message_end user",
      "message_start assistant",
      "message_end assistant",
      "turn_end",
      "agent_end",
    ]);
    await expect(events.result()).resolves.toMatchObject([user("hi"), { role: "assistant" }]);
    expect(given.messages).toEqual([system("be brief")]);
  });

  it("takes the signal of its caller", async () => {
    const events = agentLoop([user("hi")], context(), config(), AbortSignal.abort(), streamFn);
    await expect(events.result()).resolves.toMatchObject([user("hi"), { stopReason: "aborted" }]);
  });

  it("runs on empty prompts", async () => {
    const events = agentLoop([], context([user("hi")]), config(), undefined, streamFn);
    await expect(events.result()).resolves.toMatchObject([{ role: "assistant" }]);
  });

  it("fails when there is no stream function at all", async () => {
    const events = agentLoop([user("hi")], context(), config());
    await expect(events.result()).rejects.toThrow("streamFn is required");
  });

  it.each<[string, AgentMessage[], ReactiveLoopConfig]>([
    ["prompts: expected an array of messages, got undefined", undefined as never, config()],
    ["prompts[0]: expected a message with a role", ["hi" as never], config()],
    ["convertToLlm: expected a function", [user("hi")], config({ convertToLlm: undefined })],
    ["toolConcurrency: expected an integer ≥ 1, got 0", [user("hi")], config({ toolConcurrency: 0 })],
  ])("throws at once: %s", (message, prompts, given) => {
    expect(() => agentLoop(prompts, context(), given, undefined, streamFn)).toThrow(message);
  });
});
