import { describe, expect, it } from "@jest/globals";
import { EMPTY } from "rxjs";
import { loopRun, type LoopInput } from "../../src/loop/loopRun";
import { runControl } from "pi-agent-rx";
import { config, context, tool, user } from "../support/fixtures";
import { openGate } from "../support/gates";

const made = (fields: Partial<LoopInput>) =>
  loopRun({
    context: context([user("before")]),
    config: config(),
    streamFn: () => EMPTY,
    gate: openGate,
    control: runControl(),
    ...fields,
  });
const prompts = [user("one"), user("two")];

describe("loopRun", () => {
  it("copies the transcript when there are prompts, and shares it when there are none", () => {
    const given = context([user("before")]);
    expect(made({ context: given, prompts }).context.messages).not.toBe(given.messages);
    expect(made({ context: given }).context.messages).toBe(given.messages);
  });

  it("begins with the prompts, announced", () => {
    expect(made({}).prompts).toEqual([]);
    expect(made({ prompts }).prompts).toEqual(prompts);
    const announced = made({ prompts, context: context([], [tool()]) }).prompts;
    expect(announced).toEqual([expect.objectContaining({ role: "system" }), ...prompts]);
  });

  it("knows which of what it begins with left a queue", () => {
    const run = made({ prompts, promptsFrom: "followUp", context: context([], [tool()]) });
    expect(run.taken).toEqual({ queue: "followUp", messages: prompts });
    expect(made({ prompts }).taken).toBeUndefined();
  });
});
