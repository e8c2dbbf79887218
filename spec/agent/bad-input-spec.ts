import { describe, expect, it } from "@jest/globals";
import { Agent, setDefaultStreamFn, type ReactiveAgentOptions } from "pi-agent-rx";
import { user } from "./support/messages";
import { tool } from "./support/tools";

const streamFn = () => {
  throw new Error("not reached");
};
const make = (options: unknown) => () => new Agent({ streamFn, ...(options as object) });

describe("new Agent", () => {
  it.each([[undefined], [{}], [{ streamFn: undefined }]])(
    "of %j says that streamFn is required",
    (options) => {
      expect(() => new Agent(options as never)).toThrow(/^streamFn is required: /);
    },
  );

  it("needs no streamFn when there is a default one", () => {
    setDefaultStreamFn(streamFn);
    try {
      expect(() => new Agent({} as ReactiveAgentOptions)).not.toThrow();
    } finally {
      setDefaultStreamFn(undefined);
    }
    expect(() => setDefaultStreamFn(7 as never)).toThrow("streamFn: expected a function, got 7");
  });

  it.each([
    ["streamFn", "x", 'streamFn: expected a function, got "x"'],
    ["convertToLlm", 1, "convertToLlm: expected a function, got 1"],
    ["transformContext", {}, "transformContext: expected a function, got an object"],
    ["getApiKey", "key", 'getApiKey: expected a function, got "key"'],
    ["beforeToolCall", true, "beforeToolCall: expected a function, got true"],
    ["afterToolCall", [], "afterToolCall: expected a function, got an array"],
    ["finishTurn", 1, "finishTurn: expected a function, got 1"],
    ["prepareRequest", 1, "prepareRequest: expected a function, got 1"],
    ["prepareNextTurn", 1, "prepareNextTurn: expected a function, got 1"],
    ["prepareNextTurnWithContext", 1, "prepareNextTurnWithContext: expected a function, got 1"],
    ["onPayload", 1, "onPayload: expected a function, got 1"],
    ["onResponse", 1, "onResponse: expected a function, got 1"],
    ["onProviderStreamEvent", 1, "onProviderStreamEvent: expected a function, got 1"],
    ["steeringMode", "some", 'steeringMode: expected "all" or "one-at-a-time", got "some"'],
    ["followUpMode", 1, 'followUpMode: expected "all" or "one-at-a-time", got 1'],
    ["toolExecution", "both", 'toolExecution: expected "parallel" or "sequential", got "both"'],
    ["toolConcurrency", 0, "toolConcurrency: expected an integer ≥ 1, got 0"],
    ["toolConcurrency", 1.5, "toolConcurrency: expected an integer ≥ 1, got 1.5"],
    ["toolConcurrency", NaN, "toolConcurrency: expected an integer ≥ 1, got NaN"],
    ["abortGraceMs", -1, "abortGraceMs: expected a number of ms from 0 to 2147483647, got -1"],
    ["abortGraceMs", Infinity, "abortGraceMs: expected a number of ms from 0 to 2147483647, got Infinity"],
    ["abortGraceMs", "2s", 'abortGraceMs: expected a number of ms from 0 to 2147483647, got "2s"'],
    ["operators", 1, "operators: expected an object, got 1"],
    ["operators", { context: 1 }, "operators.context: expected a function, got 1"],
    ["operators", { response: 1 }, "operators.response: expected a function, got 1"],
    ["operators", { toolCall: "x" }, 'operators.toolCall: expected a function, got "x"'],
    ["initialState", 1, "initialState: expected an object, got 1"],
  ])("with %s %p names it and what was expected", (name, value, message) => {
    expect(make({ [name]: value })).toThrow(new TypeError(message));
  });

  it.each([
    [{ tools: 1 }, "initialState.tools: expected an array of tools, got 1"],
    [{ tools: [tool(), null] }, "initialState.tools[1]: expected a tool, got null"],
    [
      { tools: [tool(), tool(), { ...tool(), execute: 1 }] },
      "initialState.tools[2].execute: expected a function, got 1",
    ],
    [{ tools: [{ ...tool(), name: "" }] }, 'initialState.tools[0].name: expected a name, got ""'],
    [
      { tools: [{ ...tool(), parameters: undefined }] },
      "initialState.tools[0].parameters: expected a JSON Schema object, got undefined",
    ],
    [{ messages: "hi" }, 'initialState.messages: expected an array of messages, got "hi"'],
    [
      { messages: [user("x"), { text: "x" }] },
      "initialState.messages[1]: expected a message with a role, got an object",
    ],
    [{ model: "gpt" }, 'initialState.model: expected an object, got "gpt"'],
  ])("with initialState %j names the part and what was expected", (initialState, message) => {
    expect(make({ initialState })).toThrow(new TypeError(message));
  });

  it.each([
    ["systemPrompt", 7],
    ["thinkingLevel", "very"],
  ])("with initialState.%s %p names it too", (name, value) => {
    expect(make({ initialState: { [name]: value } })).toThrow(`initialState.${name}: expected `);
  });

  it("takes whatever is left out as the default", () => {
    const left = Object.fromEntries(
      [
        "convertToLlm",
        "getApiKey",
        "steeringMode",
        "toolExecution",
        "toolConcurrency",
        "abortGraceMs",
        "operators",
        "initialState",
      ].map((name) => [name, undefined]),
    );
    expect(make(left)).not.toThrow();
  });
});
