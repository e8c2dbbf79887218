import { afterAll, beforeAll, describe, it, jest } from "@jest/globals";
import { loopScript } from "./arbitraries/scripts";
import { conformance } from "./conformance";
import { lowLevelDifferences } from "./differences";
import { driveLoop, driveToolCall } from "./driver/driveLoop";
import { useVirtualTime } from "./driver/virtualTime";
import { holds } from "./property";
import { oracle, our } from "./sides";

describe("agentLoop, agentLoopContinue, runAgentLoop, runAgentLoopContinue", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("emit equal events, make equal requests, call hooks alike and end alike", async () => {
    await holds(200, loopScript, (script) =>
      conformance(script, {
        expected: () => driveLoop(oracle, script),
        actual: () => driveLoop(our, script),
        differences: lowLevelDifferences,
      }),
    );
  }, 120_000);

  it("are equal to themselves", async () => {
    await holds(20, loopScript, (script) =>
      conformance(script, {
        expected: () => driveLoop(oracle, script),
        actual: () => driveLoop(oracle, script),
        differences: [],
      }),
    );
  }, 120_000);
});

describe("runToolCall", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("gives equal outcomes, updates and hook calls", async () => {
    await holds(200, loopScript, (script) =>
      conformance(script, {
        expected: () => driveToolCall(oracle, script),
        actual: () => driveToolCall(our, script),
        differences: lowLevelDifferences,
      }),
    );
  }, 120_000);
});
