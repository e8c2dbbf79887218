import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { abortedScript } from "./arbitraries/abortScripts";
import { conformance } from "./conformance";
import { abortDifferences } from "./differences";
import { drive } from "./driver/drive";
import { useVirtualTime } from "./driver/virtualTime";
import { entriesOf, type Entry, type Log } from "./log";
import { holds } from "./property";
import type { Script } from "./script";
import { Oracle, Ours } from "./sides";

const isEvent = (type: string) => (entry: Entry) =>
  entry.kind === "event" && entry.listener === 0 && entry.type === type;
const isAbort = (entry: Entry) => entry.kind === "action" && entry.action.do === "abort";

/** Where in a turn the abort came. */
function phaseOfAbort(log: Log): "response" | "tools" | "elsewhere" {
  const before = log.slice(0, log.findIndex(isAbort));
  const asked = before.findLastIndex(({ kind }) => kind === "request");
  const answered = before.findLastIndex(
    (entry) => isEvent("message_end")(entry) && JSON.stringify(entry).includes('"role":"assistant"'),
  );
  if (asked > answered) return "response";
  const started = before.findLastIndex(isEvent("tool_execution_start"));
  return started > before.findLastIndex(isEvent("turn_end")) ? "tools" : "elsewhere";
}

/** The log up to the end of the turn that was aborted. */
function upToTurnEnd(log: Log): Log {
  const abort = log.findIndex(isAbort);
  const end = log.findIndex((entry, at) => at > abort && isEvent("turn_end")(entry));
  return end < 0 ? log : log.slice(0, end + 1);
}

/** What the contract promises beyond pi: after the turn comes `agent_end`, and nobody is asked again. */
function afterTurnEnd(log: Log): string | undefined {
  const rest = log.slice(upToTurnEnd(log).length);
  const next = entriesOf(rest, "event").find(({ listener, type }) => listener === 0 && type !== "turn_end");
  const outcome = (next?.event as { outcome?: string } | undefined)?.outcome;
  if (next?.type !== "agent_end" || outcome === "completed")
    return `after the turn comes ${next?.type} ${outcome}`;
  return rest.some(({ kind }) => kind === "request") ? "a request after the abort" : undefined;
}

describe("abort() in a response or a batch of tools that obey", () => {
  beforeAll(useVirtualTime);
  afterAll(() => void jest.useRealTimers());

  it("ends the turn as pi does, and then the run", async () => {
    const met = { response: 0, tools: 0, elsewhere: 0 };
    await holds(300, abortedScript, async (script: Script) => {
      const expected = await drive(Oracle, script, { exact: true });
      const phase = expected.some(isAbort) ? phaseOfAbort(expected) : "elsewhere";
      met[phase]++;
      if (phase === "elsewhere") return undefined;
      const actual = await drive(Ours, script, { exact: true });
      const complaint = afterTurnEnd(actual);
      return (
        complaint ??
        conformance(script, {
          expected: () => Promise.resolve(upToTurnEnd(expected)),
          actual: () => Promise.resolve(upToTurnEnd(actual)),
          differences: abortDifferences,
        })
      );
    });
    expect(Math.min(met.response, met.tools)).toBeGreaterThan(0);
  }, 120_000);
});
