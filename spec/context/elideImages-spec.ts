import { describe, expect, it } from "@jest/globals";
import { elideImages } from "pi-agent-rx/context";
import { assistant, call, toolResult, user } from "../support/fixtures";
import { apply } from "./support/apply";
import { lines } from "./support/conversation";

const image = (length: number) => ({
  type: "image" as const,
  data: "A".repeat(length),
  mimeType: "image/png",
});
const text = { type: "text" as const, text: "look" };
const shows = (length: number) => ({ ...user(""), content: [text, image(length)] });

describe("elideImages", () => {
  it("replaces the images of old turns in user messages and tool results", () => {
    const messages = [
      shows(8),
      assistant([call("a")]),
      { ...toolResult("a"), content: [image(8)] },
      assistant("seen"),
      shows(8),
    ];
    expect(lines(apply(elideImages(), messages))).toEqual([
      "user: look [image/png left out]",
      "assistant: echo!",
      "toolResult: [image/png left out]",
      "assistant: seen",
      "user: look <image/png>",
    ]);
  });

  it("leaves images up to a size", () => {
    const context = elideImages({ maxBytes: 6, olderThanTurns: 0, marker: () => "large" });
    expect(lines(apply(context, [shows(8), shows(12)]))).toEqual([
      "user: look <image/png>",
      "user: look large",
    ]);
  });

  it("moves its border in steps", () => {
    const context = elideImages({ step: 2 });
    const elided = (count: number) =>
      lines(
        apply(
          context,
          Array.from({ length: count }, () => shows(8)),
        ),
      ).filter((line) => /left/.test(line)).length;
    expect([1, 2, 3, 4, 5].map(elided)).toEqual([0, 0, 2, 2, 4]);
  });

  it("lets a changed message open its turn still", () => {
    const context = elideImages({ olderThanTurns: 0 });
    const messages = [shows(8), shows(8)];
    expect(lines(apply(elideImages({ olderThanTurns: 1 }), apply(context, messages)))).toHaveLength(2);
    expect(lines(messages)).toEqual(["user: look <image/png>", "user: look <image/png>"]);
  });
});
