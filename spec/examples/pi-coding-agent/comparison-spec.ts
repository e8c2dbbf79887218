import { describe, expect, it } from "@jest/globals";
import { withoutChance } from "../../../examples/pi-coding-agent/chance";
import { differences, withoutDifference } from "../../../examples/pi-coding-agent/differences";

const difference = (who: "stock" | "ours") => differences.find((one) => one.who === who)!;

describe("withoutChance", () => {
  it("masks times, ids and the folder of the installation", () => {
    const event = {
      type: "message_end",
      timestamp: 7,
      id: "5f0a",
      text: "see /tmp/a/docs, Wall time 0.3 seconds",
    };
    expect(withoutChance({ events: [event] }, "/tmp/a")["events"]).toEqual([
      {
        type: "message_end",
        timestamp: "<timestamp>",
        id: "<id>",
        text: "see <root>/docs, Wall time <seconds> seconds",
      },
    ]);
  });

  it("keeps what the server gave, and everything else", () => {
    const request = { id: "call_3_0", content: "ten", stop: null, count: 4 };
    expect(withoutChance({ requests: [request] }, "/tmp/a")).toEqual({ requests: [request] });
  });

  it("takes the reports of tools out of the stream, and keeps the last of each call", () => {
    const report = (toolCallId: string, partialResult: string) => ({
      type: "tool_execution_update",
      toolCallId,
      partialResult,
    });
    const end = { type: "tool_execution_end", toolCallId: "a" };
    const events = [report("a", "one"), report("b", "x"), report("a", "two"), end];
    expect(withoutChance({ events }, "/tmp/a")).toEqual({
      events: [end],
      reports: [report("a", "two"), report("b", "x")],
    });
  });
});

describe("withoutDifference", () => {
  it("takes outcome and reason from agent_end, and counts", () => {
    const events = [
      { type: "agent_end", outcome: "aborted", reason: "user", messages: [] },
      { type: "turn_end" },
    ];
    expect(withoutDifference({ events }, difference("ours"))).toEqual({
      rest: { events: [{ type: "agent_end", messages: [] }, { type: "turn_end" }] },
      met: 1,
    });
  });

  it("takes the turn of an empty aborted message away, and no other turn", () => {
    const message = (content: object[]) => ({ role: "assistant", stopReason: "aborted", content });
    const turn = (content: object[]) =>
      ["message_start", "message_end", "turn_end"].map((type) => ({ type, message: message(content) }));
    const begun = [{ type: "turn_start" }, ...turn([{ type: "text", text: "It" }])];
    const events = [...begun, { type: "turn_start" }, ...turn([])];
    expect(withoutDifference({ events, messages: [message([])] }, difference("stock"))).toEqual({
      rest: { events: begun, messages: [] },
      met: 5,
    });
  });

  it("leaves what is the same as it is", () => {
    const observed = { code: 0, events: [{ type: "agent_end", messages: [null, "a"] }] };
    for (const who of ["stock", "ours"] as const)
      expect(withoutDifference(observed, difference(who))).toEqual({ rest: observed, met: 0 });
  });
});
