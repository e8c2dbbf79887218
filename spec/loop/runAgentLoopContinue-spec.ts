import { describe, expect, it, jest } from "@jest/globals";
import { runAgentLoopContinue } from "pi-agent-rx";
import { assistant, config, context, user } from "../support/fixtures";
import { nothingStray } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const continued = (messages: Parameters<typeof context>[0], emit = () => {}) =>
  runAgentLoopContinue(context(messages), config(), emit, undefined, answers(assistant("done")));

describe("runAgentLoopContinue", () => {
  nothingStray();

  it("goes on from the context and resolves with what the run added", async () => {
    const emit = jest.fn();
    await expect(continued([user("hi")], emit)).resolves.toMatchObject([{ role: "assistant" }]);
    expect(emit).toHaveBeenCalledTimes(6);
  });

  it("rejects when there is nothing to go on from", async () => {
    await expect(continued([])).rejects.toThrow("Cannot continue: no messages in context");
    await expect(continued([assistant("done")])).rejects.toThrow(
      "Cannot continue from message role: assistant",
    );
  });
});
