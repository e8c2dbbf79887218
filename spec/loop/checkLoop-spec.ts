import { describe, expect, it } from "@jest/globals";
import { EMPTY } from "rxjs";
import type { AgentRunOptions } from "pi-agent-rx";
import { checkLoop } from "../../src/loop/checkLoop";
import { assistant, config, context, tool, user } from "../support/fixtures";

const good: AgentRunOptions = {
  prompts: [user("hi")],
  context: context(),
  config: config(),
  streamFn: () => EMPTY,
};
const withOption = (name: keyof AgentRunOptions, value: unknown): AgentRunOptions => ({
  ...good,
  [name]: value,
});

const bad: [string, AgentRunOptions, string][] = [
  ["prompts", withOption("prompts", {}), "prompts: expected an array of messages, got an object"],
  [
    "a prompt",
    withOption("prompts", [user("hi"), "text"]),
    'prompts[1]: expected a message with a role, got "text"',
  ],
  ["a context", withOption("context", undefined), "context: expected an object, got undefined"],
  ["messages", withOption("context", {}), "context.messages: expected an array of messages, got undefined"],
  [
    "a message",
    withOption("context", { messages: [null] }),
    "context.messages[0]: expected a message with a role, got null",
  ],
  [
    "tools",
    withOption("context", { messages: [], tools: 1 }),
    "context.tools: expected an array of tools, got 1",
  ],
  [
    "a tool",
    withOption("context", context([], [tool(), { ...tool(), execute: undefined as never }])),
    "context.tools[1].execute: expected a function, got undefined",
  ],
  ["a config", withOption("config", null), "config: expected an object, got null"],
  [
    "a model",
    withOption("config", { ...config(), model: undefined }),
    "model: expected an object, got undefined",
  ],
  [
    "convertToLlm",
    withOption("config", { ...config(), convertToLlm: undefined }),
    "convertToLlm: expected a function, got undefined",
  ],
  ["a hook", withOption("config", { ...config(), finishTurn: 1 }), "finishTurn: expected a function, got 1"],
  [
    "a setting",
    withOption("config", { ...config(), abortGraceMs: -1 }),
    "abortGraceMs: expected a number of ms",
  ],
  ["a gate", withOption("gate", 1), "gate: expected a function, got 1"],
  ["a signal", withOption("signal", {}), "signal: expected an AbortSignal, got an object"],
  ["a stream function", withOption("streamFn", {}), "streamFn: expected a function, got an object"],
];

describe("checkLoop", () => {
  it.each(bad)("refuses %s by name", (_, options, message) => {
    expect(() => checkLoop(options)).toThrow(message);
    expect(() => checkLoop(options)).toThrow(TypeError);
  });

  it("accepts what fits, with prompts or something to continue from", () => {
    checkLoop({ ...good, gate: (events$) => events$, signal: AbortSignal.abort() });
    checkLoop({ prompts: [], context: context(), config: config() });
    checkLoop({ ...good, streamFn: undefined, gate: undefined, signal: undefined });
    const messages = [user("hi")];
    expect(() => checkLoop({ context: context(messages, [tool()]), config: config() })).not.toThrow();
  });

  it("takes prompts that are undefined for prompts that are left out", () => {
    const options = { prompts: undefined, context: context([user("hi")]), config: config() };
    expect(() => checkLoop(options)).not.toThrow();
  });

  it("refuses to continue from nothing, or from an answer", () => {
    const from = (messages: Parameters<typeof context>[0]) => () =>
      checkLoop({ context: context(messages), config: config() });
    expect(from([])).toThrow("Cannot continue: no messages in context");
    expect(from([assistant("done")])).toThrow("Cannot continue from message role: assistant");
  });
});
