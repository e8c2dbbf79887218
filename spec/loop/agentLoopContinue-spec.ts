import { describe, expect, it } from "@jest/globals";
import { agentLoopContinue } from "pi-agent-rx";
import { assistant, call, config, context, toolResult, user } from "../support/fixtures";
import { nothingStray } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const streamFn = answers(assistant("done"));
const continued = (messages: Parameters<typeof context>[0], given = config()) =>
  agentLoopContinue(context(messages), given, undefined, streamFn);

describe("agentLoopContinue", () => {
  nothingStray();

  it.each([
    ["a user message", [user("hi")]],
    ["tool results", [user("hi"), assistant([call("1")]), toolResult("1")]],
  ])("goes on after %s, without messages of its own", async (_, messages) => {
    const events = continued(messages);
    await expect(events.result()).resolves.toMatchObject([{ role: "assistant", stopReason: "stop" }]);
  });

  it("throws at once when there is nothing to go on from", () => {
    expect(() => continued([])).toThrow("Cannot continue: no messages in context");
    expect(() => continued([assistant("done")])).toThrow("Cannot continue from message role: assistant");
  });

  it("throws at once on bad input, by name", () => {
    expect(() => continued("text" as never)).toThrow("context.messages: expected an array of messages");
    expect(() => continued([user("hi")], config({ finishTurn: 1 as never }))).toThrow("finishTurn: expected");
  });
});
