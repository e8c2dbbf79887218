import { describe, expect, it } from "@jest/globals";
import { PendingCalls } from "../../src/agent/PendingCalls";

describe("PendingCalls", () => {
  it("holds the ids between start and end", () => {
    const calls = new PendingCalls();
    calls.start("a");
    calls.start("b");
    calls.end("a");
    expect([...calls.ids]).toEqual(["b"]);
  });

  it("holds an id until the last call with it has ended", () => {
    const calls = new PendingCalls();
    calls.start("a");
    calls.start("a");
    calls.end("a");
    expect([...calls.ids]).toEqual(["a"]);
    calls.end("a");
    expect(calls.ids.size).toBe(0);
  });

  it("makes a new set after each change, and none without", () => {
    const calls = new PendingCalls();
    const before = calls.ids;
    expect(calls.ids).toBe(before);
    calls.start("a");
    expect(calls.ids).not.toBe(before);
    expect(before.size).toBe(0);
  });

  it("ignores an end without a start, and forgets all on clear", () => {
    const calls = new PendingCalls();
    calls.end("a");
    calls.start("a");
    expect([...calls.ids]).toEqual(["a"]);
    calls.clear();
    expect(calls.ids.size).toBe(0);
  });
});
