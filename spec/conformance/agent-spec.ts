import { afterAll, beforeAll, describe, it, jest } from "@jest/globals";
import { exactScript } from "./arbitraries/scripts";
import { conformance } from "./conformance";
import { differences } from "./differences";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { holds } from "./property";
import { Oracle, Ours } from "./sides";

describe("Agent beside the Agent of pi-agent-core", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("shows equal events, requests, hooks, transcripts, states and rejections", async () => {
    await holds(700, exactScript, (script) =>
      conformance(script, {
        expected: () => drive(Oracle, script, { exact: true }),
        actual: () => drive(Ours, script, { exact: true }),
        differences,
      }),
    );
  }, 240_000);
});
