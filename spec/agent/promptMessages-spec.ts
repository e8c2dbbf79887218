import { describe, expect, it } from "@jest/globals";
import { promptMessages } from "../../src/agent/promptMessages";
import { user } from "./support/messages";
import { virtually } from "./support/virtually";

describe("promptMessages", () => {
  it(
    "makes a user message of text, with images after it, at the present time",
    virtually(({ at, flush }) => {
      const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
      at(3, () =>
        expect(promptMessages("look", [image])).toEqual([
          { role: "user", content: [{ type: "text", text: "look" }, image], timestamp: 3 },
        ]),
      );
      flush();
      expect.assertions(1);
    }),
  );

  it("keeps messages as they are", () => {
    const one = user("one");
    const two = user("two");
    expect(promptMessages(one)[0]).toBe(one);
    expect(promptMessages([one, two])).toEqual([one, two]);
    expect(promptMessages([])).toEqual([]);
  });

  it("takes empty text", () => {
    expect(promptMessages("")[0]).toMatchObject({ role: "user", content: [{ type: "text", text: "" }] });
  });
});
