import { describe, expect, it } from "@jest/globals";
import { agentEnd } from "../../src/loop/agentEnd";
import type { LoopRun } from "../../src/loop/loopRun";
import { runControl, type AgentTurnDecision } from "pi-agent-rx";
import { assistant, user } from "../support/fixtures";

type StopReason = "stop" | "error" | "aborted";

/** The end of a run whose last turn ended so. */
function ended(stopReason: StopReason | undefined, decision?: AgentTurnDecision, abort?: [unknown?]) {
  const control = runControl();
  if (abort) control.abort(...abort);
  const turn = stopReason && { message: assistant("a", { stopReason }) };
  return agentEnd({ control, turn, decision, newMessages: [user("hi")] } as unknown as LoopRun);
}

describe("agentEnd", () => {
  const end = { type: "agent_end", messages: [user("hi")] };

  it("is completed, or stopped by a decision with its reason", () => {
    expect(ended("stop")).toEqual({ ...end, outcome: "completed" });
    expect(ended("stop", { action: "continue" })).toEqual({ ...end, outcome: "completed" });
    expect(ended("stop", { action: "end" })).toStrictEqual({ ...end, outcome: "stopped" });
    const limit = { ...end, outcome: "stopped", reason: "maxTurns" };
    expect(ended("stop", { action: "end", reason: "maxTurns" })).toEqual(limit);
  });

  it("is aborted, with what abort() was given", () => {
    expect(ended("stop", undefined, ["enough"])).toEqual({ ...end, outcome: "aborted", reason: "enough" });
    expect(ended(undefined, undefined, [])).toStrictEqual({ ...end, outcome: "aborted" });
    expect(ended("aborted")).toStrictEqual({ ...end, outcome: "aborted" });
  });

  it("lets a failure outrank an abort, and an abort a decision", () => {
    expect(ended("error", { action: "end", reason: "limit" }, ["enough"])).toStrictEqual({
      ...end,
      outcome: "failed",
    });
    expect(ended("stop", { action: "end", reason: "limit" }, ["enough"])).toEqual({
      ...end,
      outcome: "aborted",
      reason: "enough",
    });
  });
});
