import { describe, expect, it } from "@jest/globals";
import type { AgentEvent } from "pi-agent-rx";
import { reducer } from "../../src/agent/reducer";
import { answer, delta, failure, user } from "./support/messages";

const message = answer("hi");

describe("reducer", () => {
  it.each<[AgentEvent, ReturnType<typeof reducer>]>([
    [{ type: "message_start", message }, { streamingMessage: message }],
    [{ type: "message_update", message, assistantMessageEvent: delta("hi") }, { streamingMessage: message }],
    [
      { type: "message_end", message },
      { streamingMessage: null, committed: message },
    ],
    [{ type: "tool_execution_start", toolCallId: "a", toolName: "work", args: {} }, { started: "a" }],
    [
      { type: "tool_execution_end", toolCallId: "a", toolName: "work", result: {}, isError: false },
      { ended: "a" },
    ],
  ])("%j changes its part", (event, change) => {
    expect(reducer(event)).toEqual(change);
  });

  it.each<AgentEvent>([
    { type: "agent_start" },
    { type: "turn_start" },
    { type: "agent_end", messages: [] },
    { type: "tool_execution_update", toolCallId: "a", toolName: "work", args: {}, partialResult: {} },
  ])("%j changes nothing", (event) => {
    expect(reducer(event)).toBeUndefined();
  });

  it("takes errorMessage from the answer of a turn that has one", () => {
    expect(reducer({ type: "turn_end", message: failure("overloaded"), toolResults: [] })).toEqual({
      errorMessage: "overloaded",
    });
    for (const fine of [message, user("hi")]) {
      expect(reducer({ type: "turn_end", message: fine, toolResults: [] })?.errorMessage).toBeUndefined();
    }
  });

  it("is pure: it leaves the event alone and answers the same again", () => {
    const event = Object.freeze({ type: "message_end" as const, message: Object.freeze({ ...message }) });
    expect(reducer(event)).toEqual(reducer(event));
  });
});
