import { describe, expect, it } from "@jest/globals";
import type { ConversationItem } from "pi-agent-rx/operators";
import { shareItems } from "../../src/operators/shareItems";

const text = (id: string, value: string): ConversationItem => ({
  kind: "text",
  id,
  text: value,
  isStreaming: false,
});

describe("shareItems", () => {
  it("keeps the list when nothing in it changed", () => {
    const before = [text("1", "a"), text("2", "b")];
    expect(shareItems(before, [text("1", "a"), text("2", "b")])).toBe(before);
  });

  it("keeps the items that did not change, wherever they are now", () => {
    const before = [text("1", "a"), text("2", "b")];
    const after = shareItems(before, [text("2", "b"), text("1", "x")]);
    expect(after[0]).toBe(before[1]);
    expect(after[1]).toEqual(text("1", "x"));
  });

  it("sees a field that came or went", () => {
    const before = [text("1", "a")];
    const more = [{ ...text("1", "a"), result: undefined } as unknown as ConversationItem];
    expect(shareItems(before, more)[0]).toBe(more[0]);
    expect(shareItems(more, before)[0]).toBe(before[0]);
    expect(shareItems(before, [])).toEqual([]);
  });
});
