import { describe, expect, it } from "@jest/globals";
import { dropThinking } from "pi-agent-rx/context";
import { assistant, call, toolResult, user } from "../support/fixtures";
import { apply } from "./support/apply";
import { lines } from "./support/conversation";

const thinking = { type: "thinking" as const, thinking: "hm" };
const signed = { type: "text" as const, text: "yes", textSignature: "msg_1" };

describe("dropThinking", () => {
  it("drops the thinking of old turns and leaves the current turn's", () => {
    const messages = [user("a"), assistant([thinking, signed]), user("b"), assistant([thinking, signed])];
    expect(lines(apply(dropThinking(), messages))).toEqual([
      "user: a",
      "assistant: yes",
      "user: b",
      "assistant: (hm) yes",
    ]);
  });

  it("drops what a text's signature says of the thinking", () => {
    const [, answer] = apply(dropThinking(), [user("a"), assistant([thinking, signed]), user("b")]);
    expect(answer).toMatchObject({ content: [{ type: "text", text: "yes" }] });
    expect(answer).not.toHaveProperty("content.0.textSignature");
  });

  it("keeps calls and their own signatures", () => {
    const signedCall = { ...call("a"), thoughtSignature: "sig" };
    const messages = [user("a"), assistant([thinking, signedCall]), toolResult("a"), user("b")];
    expect(apply(dropThinking(), messages)[1]).toMatchObject({ content: [signedCall] });
  });

  it("leaves a message out that was nothing else", () => {
    expect(lines(apply(dropThinking(), [user("a"), assistant([thinking]), user("b")]))).toEqual([
      "user: a",
      "user: b",
    ]);
  });

  it("keeps thinking that a provider ties to a call", () => {
    const messages = [
      user("a"),
      assistant([thinking, call("call_1|fc_1")]),
      toolResult("call_1|fc_1"),
      user("b"),
    ];
    expect(apply(dropThinking(), messages)).toEqual(messages);
  });

  it("refuses to drop the current turn's", () => {
    expect(() => dropThinking({ olderThanTurns: 0 })).toThrow("dropThinking: olderThanTurns: expected");
  });
});
