import { describe, expect, it, jest } from "@jest/globals";
import type { AgentMessage } from "pi-agent-rx";
import { repair, repairTranscript, type Repair } from "pi-agent-rx/context";
import { assistant, call, system, toolResult, user } from "../support/fixtures";
import { apply } from "./support/apply";
import { lines, turn } from "./support/conversation";

const aborted = { stopReason: "aborted" as const };
const missing = "toolResult: No result: the run ended before this call did.";

describe("repair", () => {
  it("leaves a transcript in order alone", () => {
    const messages = [system("lead"), ...turn("a"), ...turn("b")];
    expect(repair(messages)).toEqual({ messages, repairs: [] });
    expect(repair([])).toEqual({ messages: [], repairs: [] });
  });

  it.each<[string, AgentMessage[], string[], Repair["kind"][]]>([
    ["a result without a call", [user("a"), toolResult("1")], ["user: a"], ["droppedResult"]],
    [
      "a second result of a call",
      [user("a"), assistant([call("1")]), toolResult("1", "x"), toolResult("1", "y")],
      ["user: a", "assistant: echo!", "toolResult: x"],
      ["droppedResult"],
    ],
    [
      "calls that a crash left without results",
      [user("a"), assistant([call("1"), call("2")]), toolResult("2", "x")],
      ["user: a", "assistant: echo! echo!", "toolResult: x", missing],
      ["addedResult"],
    ],
    [
      "one result for two calls of one id",
      [user("a"), assistant([call("1"), call("1")]), toolResult("1", "x")],
      ["user: a", "assistant: echo! echo!", "toolResult: x", missing],
      ["addedResult"],
    ],
    [
      "results that come late",
      [user("a"), assistant([call("1")]), system("s"), user("b"), toolResult("1", "x")],
      ["user: a", "assistant: echo!", "toolResult: x", "system: s", "user: b"],
      ["movedResults"],
    ],
    [
      "calls of an aborted response",
      [user("a"), assistant([{ type: "text", text: "b" }, call("1")], aborted), toolResult("1")],
      ["user: a", "assistant: b"],
      ["droppedCalls"],
    ],
    [
      "an aborted response that had not begun to write",
      [user("a"), assistant([{ type: "thinking", thinking: "hm" }, call("1")], aborted)],
      ["user: a"],
      ["droppedMessage"],
    ],
    ["an empty response", [user("a"), assistant([])], ["user: a"], ["droppedMessage"]],
    [
      "a response that nothing led to",
      [system("s"), assistant("a"), user("b")],
      ["system: s", "user: (The conversation before is left out.)", "assistant: a", "user: b"],
      ["addedUser"],
    ],
    [
      "the same id in a later turn, the earlier call left open",
      [user("a"), assistant([call("1")]), user("b"), assistant([call("1")]), toolResult("1", "x")],
      ["user: a", "assistant: echo!", missing, "user: b", "assistant: echo!", "toolResult: x"],
      ["addedResult"],
    ],
  ])("mends %s", (_what, broken, mended, kinds) => {
    const { messages, repairs } = repair(broken);
    expect(lines(messages)).toEqual(mended);
    expect(repairs.map(({ kind }) => kind)).toEqual(kinds);
  });

  it("makes error results that name the tool, the same each time", () => {
    const broken = [user("a"), assistant([call("1", "read")], { timestamp: 7 })];
    expect(repair(broken).messages[2]).toMatchObject({ toolName: "read", isError: true, timestamp: 7 });
    expect(repair(broken)).toEqual(repair(broken));
  });

  it("names the message that each change is about", () => {
    const orphan = toolResult("1");
    expect(repair([orphan]).repairs).toEqual([{ kind: "droppedResult", message: orphan }]);
  });
});

describe("repairTranscript", () => {
  it("tells what it changed, and only then", () => {
    const onRepair = jest.fn();
    const messages = turn("a");
    expect(apply(repairTranscript({ onRepair }), messages)).toBe(messages);
    expect(onRepair).not.toHaveBeenCalled();
    expect(lines(apply(repairTranscript({ onRepair }), messages.slice(0, 2)))).toContain(missing);
    expect(onRepair.mock.calls).toMatchObject([[[{ kind: "addedResult" }]]]);
  });

  it("needs no one to tell", () => {
    expect(apply(repairTranscript(), [toolResult("1")])).toEqual([]);
  });
});
