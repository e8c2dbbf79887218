import { describe, expect, it } from "@jest/globals";
import { NestedCallRecorder } from "../../src/codemode/NestedCallRecorder";
import { call, output } from "../support/fixtures";

const outcome = (id: string, isError = false, text = "done") => ({
  toolCall: call(id),
  result: output(text),
  isError,
  durationMs: 3,
});

describe("NestedCallRecorder", () => {
  it("has no record of nothing", () => {
    expect(new NestedCallRecorder().snapshot()).toBeUndefined();
  });

  it("keeps a call's arguments as they were, and how it ended", () => {
    const recorder = new NestedCallRecorder();
    const args = { list: [1] };
    const ended = recorder.start(call("a", "echo", args));
    args.list.push(2);
    const before = recorder.snapshot();
    ended(outcome("a"), false);
    const first = { id: "a", name: "echo", arguments: { list: [1] } };
    expect(before).toEqual({ calls: [{ ...first, status: "unfinished" }], complete: false });
    expect(recorder.snapshot()).toEqual({
      calls: [{ ...first, status: "ok", durationMs: 3 }],
      complete: true,
    });
  });

  it("cuts the text of an error", () => {
    const recorder = new NestedCallRecorder();
    recorder.start(call("a"))(outcome("a", true, "x".repeat(1000)), false);
    expect(recorder.snapshot()?.calls[0]).toMatchObject({ status: "error", error: "x".repeat(500) });
  });

  it("leaves a call that was cut off unfinished", () => {
    const recorder = new NestedCallRecorder();
    recorder.start(call("a"))(outcome("a", true), true);
    expect(recorder.snapshot()).toMatchObject({ calls: [{ status: "unfinished" }], complete: false });
  });

  it("says how large arguments are that are too large for it, alone or together", () => {
    const recorder = new NestedCallRecorder();
    const sized = (id: string, bytes: number) =>
      recorder.start(call(id, "echo", { a: "x".repeat(bytes - 8) }))(outcome(id), false);
    sized("over", 8193);
    for (const id of ["1", "2", "3", "4"]) sized(id, 8192);
    sized("late", 9);
    const record = recorder.snapshot()!;
    expect(record.complete).toBe(false);
    expect(record.calls.filter((one) => !one.arguments)).toEqual([
      { id: "over", name: "echo", argumentsBytes: 8193, status: "ok", durationMs: 3 },
      { id: "late", name: "echo", argumentsBytes: 9, status: "ok", durationMs: 3 },
    ]);
  });

  it("lists 256 calls", () => {
    const recorder = new NestedCallRecorder();
    for (let n = 0; n < 257; n++) recorder.start(call(String(n)))(outcome(String(n)), false);
    expect(recorder.snapshot()).toMatchObject({ complete: false, calls: { length: 256 } });
  });
});
