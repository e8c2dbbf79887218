import { afterAll, beforeAll, describe, it, jest } from "@jest/globals";
import { unrulyScript } from "./arbitraries/scripts";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { abortsAreBounded } from "./invariants/abortsAreBounded";
import { laws } from "./invariants/laws";
import { holds } from "./property";
import { Ours } from "./sides";
import type { Script } from "./script";

async function complaints(script: Script): Promise<string | undefined> {
  const log = await drive(Ours, script, { exact: false });
  const all = [...laws, abortsAreBounded(script.agent.abortGraceMs ?? 2000)];
  const broken = all.flatMap((law) => {
    const complaint = law(log);
    return complaint === undefined ? [] : [`${law.name}: ${complaint}`];
  });
  return broken.length > 0 ? broken.join("\n") : undefined;
}

describe("Agent under aborts, stalls and failures", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("keeps the invariants of the run contract", async () => {
    await holds(500, unrulyScript, complaints);
  }, 240_000);
});
