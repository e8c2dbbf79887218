import { describe, expect, it } from "@jest/globals";
import { checkLoop } from "../../src/loop/checkLoop";
import { assistant, config, context, tool, user } from "../support/fixtures";

const prompts = [user("hi")];
type Arguments = Parameters<typeof checkLoop>;
const good: Arguments = [prompts, context(), config(), () => {}];
const withArgument = (index: number, value: unknown) => good.with(index, value) as Arguments;

const bad: [string, Arguments, string][] = [
  ["prompts", withArgument(0, {}), "prompts: expected an array of messages, got an object"],
  [
    "a prompt",
    withArgument(0, [user("hi"), "text"]),
    'prompts[1]: expected a message with a role, got "text"',
  ],
  ["a context", withArgument(1, undefined), "context: expected an object, got undefined"],
  ["messages", withArgument(1, {}), "context.messages: expected an array of messages, got undefined"],
  [
    "a message",
    withArgument(1, { messages: [null] }),
    "context.messages[0]: expected a message with a role, got null",
  ],
  ["tools", withArgument(1, { messages: [], tools: 1 }), "context.tools: expected an array of tools, got 1"],
  [
    "a tool",
    withArgument(1, context([], [tool(), { ...tool(), execute: undefined as never }])),
    "context.tools[1].execute: expected a function, got undefined",
  ],
  ["a config", withArgument(2, null), "config: expected an object, got null"],
  ["a model", withArgument(2, { ...config(), model: undefined }), "model: expected an object, got undefined"],
  [
    "convertToLlm",
    withArgument(2, { ...config(), convertToLlm: undefined }),
    "convertToLlm: expected a function, got undefined",
  ],
  ["a hook", withArgument(2, { ...config(), finishTurn: 1 }), "finishTurn: expected a function, got 1"],
  ["a setting", withArgument(2, { ...config(), abortGraceMs: -1 }), "abortGraceMs: expected a number of ms"],
  ["a stream function", withArgument(3, {}), "streamFn: expected a function, got an object"],
];

describe("checkLoop", () => {
  it.each(bad)("refuses %s by name", (_, given, message) => {
    expect(() => checkLoop(...given)).toThrow(message);
    expect(() => checkLoop(...given)).toThrow(TypeError);
  });

  it("accepts what fits, with prompts or something to continue from", () => {
    checkLoop(...good);
    checkLoop([], context(), config(), undefined);
    expect(() => checkLoop(undefined, context([user("hi")], [tool()]), config(), undefined)).not.toThrow();
  });

  it("refuses to continue from nothing, or from an answer", () => {
    const from = (messages: Parameters<typeof context>[0]) => () =>
      checkLoop(undefined, context(messages), config(), undefined);
    expect(from([])).toThrow("Cannot continue: no messages in context");
    expect(from([assistant("done")])).toThrow("Cannot continue from message role: assistant");
  });
});
