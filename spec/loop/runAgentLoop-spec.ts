import { describe, expect, it, jest } from "@jest/globals";
import { runAgentLoop, type AgentEvent } from "pi-agent-rx";
import { assistant, config, context, system, user } from "../support/fixtures";
import { nothingStray } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const streamFn = answers(assistant("done"));

describe("runAgentLoop", () => {
  nothingStray();

  it("runs the prompts on the context and resolves with what the run added", async () => {
    const emit = jest.fn((_event: AgentEvent) => {});
    const given = context([system("be brief")]);
    const added = await runAgentLoop([user("hi")], given, config(), emit, undefined, streamFn);
    expect(added).toMatchObject([user("hi"), { role: "assistant" }]);
    expect(emit.mock.calls.at(-1)![0]).toMatchObject({ type: "agent_end", messages: added });
    expect(given.messages).toHaveLength(1);
  });

  it("takes the signal of its caller", async () => {
    const added = await runAgentLoop(
      [user("hi")],
      context(),
      config(),
      () => {},
      AbortSignal.abort(),
      streamFn,
    );
    expect(added.at(-1)).toMatchObject({ stopReason: "aborted" });
  });

  it.each([[undefined], [null], ["hi"], [user("hi")]])(
    "rejects prompts that are %p, by name",
    async (prompts) => {
      const emit = jest.fn(() => {});
      const running = runAgentLoop(
        prompts as never,
        context([user("hi")]),
        config(),
        emit,
        undefined,
        streamFn,
      );
      await expect(running).rejects.toThrow("prompts: expected an array of messages");
      expect(emit).not.toHaveBeenCalled();
    },
  );
});
