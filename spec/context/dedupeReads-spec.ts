import { describe, expect, it } from "@jest/globals";
import { dedupeReads } from "pi-agent-rx/context";
import { assistant, call, toolResult, user } from "../support/fixtures";
import { apply } from "./support/apply";
import { lines } from "./support/conversation";

const read = (id: string, path: string, isError = false) => [
  assistant([call(id, "read", { path })]),
  toolResult(id, `${path} at ${id}`, isError),
];
const keyOf = ({ arguments: args }: ReturnType<typeof call>) => args.path as string | undefined;
const results = (messages: ReturnType<typeof apply>) =>
  lines(messages.filter(({ role }) => role === "toolResult")).map((line) => line.replace("toolResult: ", ""));

describe("dedupeReads", () => {
  it("keeps the latest read of each thing", () => {
    const messages = [user("go"), ...read("1", "x"), ...read("2", "y"), ...read("3", "x")];
    expect(results(apply(dedupeReads(keyOf, { step: 1, marker: "-" }), messages))).toEqual([
      "-",
      "y at 2",
      "x at 3",
    ]);
  });

  it("tells the calls of one batch apart, also two with one id", () => {
    const calls = [call("1", "read", { path: "x" }), call("1", "read", { path: "y" })];
    const messages = [
      user("go"),
      assistant(calls),
      toolResult("1", "x"),
      toolResult("1", "y"),
      ...read("2", "y"),
    ];
    expect(results(apply(dedupeReads(keyOf, { step: 1, marker: "-" }), messages))).toEqual([
      "x",
      "-",
      "y at 2",
    ]);
  });

  it("gathers outdated results and replaces them in steps, oldest reads first", () => {
    const context = dedupeReads(keyOf, { step: 2, marker: "-" });
    const replaced = (count: number) => {
      const reads = Array.from({ length: count }, (_, n) => read(`${n}`, "x")).flat();
      return results(apply(context, [user("go"), ...reads])).filter((text) => text === "-").length;
    };
    expect([1, 2, 3, 4, 5].map(replaced)).toEqual([0, 0, 2, 2, 4]);
  });

  it("leaves failed calls and what is no read alone", () => {
    const messages = [
      user("go"),
      ...read("1", "x"),
      ...read("2", "x", true),
      assistant([call("3")]),
      toolResult("3"),
      assistant([call("4")]),
      toolResult("4"),
    ];
    expect(apply(dedupeReads(keyOf, { step: 1 }), messages)).toBe(messages);
  });

  it("tells the key function which response made the call", () => {
    const messages = [user("go"), ...read("1", "x"), ...read("2", "x")];
    const context = dedupeReads((_call, result, response) => `${result.toolName} ${response.model}`, {
      step: 1,
    });
    expect(results(apply(context, messages))[0]).toBe("[outdated: read again later, see there]");
  });

  it("refuses steps below 1", () => {
    expect(() => dedupeReads(keyOf, { step: 0 })).toThrow(
      "dedupeReads: step: expected an integer ≥ 1, got 0",
    );
  });
});
