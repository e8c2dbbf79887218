import { describe, expect, it } from "@jest/globals";
import { EMPTY } from "rxjs";
import { loopRun } from "../../src/loop/loopRun";
import { stageDeps } from "../../src/loop/stageDeps";
import { updateRun } from "../../src/loop/updateRun";
import { runControl } from "pi-agent-rx";
import { config, context, model, user } from "../support/fixtures";
import { openGate } from "../support/gates";

const control = runControl();
const made = (settings = config({ reasoning: "low", sessionId: "s", temperature: 1 })) =>
  loopRun({ context: context(), config: settings, streamFn: () => EMPTY, gate: openGate, control });

describe("stageDeps", () => {
  it("gives the stages the hooks, and the provider the whole configuration", () => {
    const transformContext = () => [];
    const run = made(config({ transformContext, apiKey: "key", sessionId: "s" }));
    const deps = stageDeps(run);
    expect(deps).toMatchObject({ gate: openGate, control, model, thinkingLevel: "off" });
    expect(deps.transformContext).toBe(transformContext);
    expect(deps.options).toMatchObject({ sessionId: "s", apiKey: "key", signal: control.signal });
    expect(deps.options.identity).toBeDefined();
  });

  it("keeps them until the run is updated", () => {
    const run = made();
    const deps = stageDeps(run);
    expect(stageDeps(run)).toBe(deps);
    const [large, other] = [{ ...model, id: "large" }, context([user("other")])];
    updateRun(run, { model: large, thinkingLevel: "high", context: other });
    expect(stageDeps(run)).toMatchObject({ model: large, thinkingLevel: "high" });
    expect(stageDeps(run).context).toBe(other);
    expect(stageDeps(run).options).toMatchObject({ sessionId: "s", temperature: 1, reasoning: "high" });
  });

  it("notes on the run what was decided and taken", () => {
    const run = made();
    const deps = stageDeps(run);
    deps.onDecision!({ action: "end", reason: "enough" });
    deps.onTaken!({ queue: "steering", messages: [user("steer")] });
    expect(run.decision).toEqual({ action: "end", reason: "enough" });
    expect(run.taken).toEqual({ queue: "steering", messages: [user("steer")] });
  });
});
