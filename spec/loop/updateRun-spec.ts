import { describe, expect, it } from "@jest/globals";
import type { LoopRun } from "../../src/loop/loopRun";
import { updateRun } from "../../src/loop/updateRun";
import type { ReactiveTurnUpdate } from "pi-agent-rx";
import { config, context, model, user } from "../support/fixtures";

function updated(update: ReactiveTurnUpdate) {
  const run = { context: context(), config: config({ reasoning: "low" }) } as LoopRun;
  const before = run.config;
  updateRun(run, update);
  return { run, before };
}

describe("updateRun", () => {
  it("takes over what is given and keeps the rest", () => {
    expect(updated({}).run.config).toEqual(expect.objectContaining({ model, reasoning: "low" }));
    const [large, other] = [{ ...model, id: "large" }, context([user("other")])];
    const { run } = updated({ model: large, context: other, thinkingLevel: "high" });
    expect(run.config).toMatchObject({ model: large, reasoning: "high" });
    expect(run.context).toBe(other);
  });

  it("asks for no reasoning when the level is off", () => {
    expect(updated({ thinkingLevel: "off" }).run.config.reasoning).toBeUndefined();
  });

  it("leaves the config that it was given as it was", () => {
    expect(updated({ thinkingLevel: "high" }).before.reasoning).toBe("low");
  });
});
