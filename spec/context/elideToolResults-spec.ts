import { describe, expect, it } from "@jest/globals";
import { elideToolResults } from "pi-agent-rx/context";
import { toolResult } from "../support/fixtures";
import { apply } from "./support/apply";
import { lines, turn } from "./support/conversation";

const long = "0123456789".repeat(20);
const results = (messages: ReturnType<typeof turn>) =>
  lines(messages.filter(({ role }) => role === "toolResult")).map((line) => line.replace("toolResult: ", ""));

describe("elideToolResults", () => {
  it("shortens long results of old turns and says by how much", () => {
    const messages = [...turn("a", long), ...turn("b", long)];
    expect(results(apply(elideToolResults({ maxChars: 5 }), messages))).toEqual([
      "01234 [… 195 characters left out]",
      long,
    ]);
  });

  it("leaves results alone that the marker would not shorten", () => {
    const messages = [...turn("a", "short enough"), ...turn("b")];
    expect(apply(elideToolResults({ maxChars: 3 }), messages)).toEqual(messages);
  });

  it("goes by size alone with olderThanTurns: 0", () => {
    const context = elideToolResults({ maxChars: 0, olderThanTurns: 0 });
    expect(results(apply(context, turn("a", long)))).toEqual(["[… 200 characters left out]"]);
  });

  it("moves its border in steps", () => {
    const context = elideToolResults({ maxChars: 0, olderThanTurns: 1, step: 2, marker: () => "-" });
    const elided = (count: number) =>
      results(apply(context, Array.from({ length: count }, (_, n) => turn(`t${n}`, long)).flat())).filter(
        (text) => text === "-",
      ).length;
    expect([1, 2, 3, 4, 5].map(elided)).toEqual([0, 0, 2, 2, 4]);
  });

  it("keeps images, counts over all blocks and cuts no character in half", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const content = [
      { type: "text" as const, text: "ab" },
      image,
      { type: "text" as const, text: "c😀".repeat(9) },
    ];
    const messages = [...turn("a").slice(0, 2), { ...toolResult("a"), content }];
    const [, , result] = apply(
      elideToolResults({ maxChars: 4, olderThanTurns: 0, marker: (count) => `+${count}` }),
      messages,
    );
    expect(result).toEqual({
      ...messages[2],
      content: [
        { type: "text", text: "ab" },
        image,
        { type: "text", text: "c" },
        { type: "text", text: "+26" },
      ],
    });
  });

  it("makes one copy of a message, whatever the number of requests", () => {
    const context = elideToolResults({ maxChars: 5, olderThanTurns: 0 });
    const messages = turn("a", long);
    expect(apply(context, messages)[2]).toBe(apply(context, [...messages])[2]);
    expect(messages[2]).toMatchObject({ content: [{ text: long }] });
  });

  it("refuses other sizes than whole numbers", () => {
    expect(() => elideToolResults({ maxChars: -1 })).toThrow("elideToolResults: maxChars: expected");
    expect(() => elideToolResults({ olderThanTurns: 0.5 })).toThrow(
      "elideToolResults: olderThanTurns: expected",
    );
  });
});
