import { describe, expect, it } from "@jest/globals";
import { errorText } from "../../src/internal/errorText";

describe("errorText", () => {
  it.each([
    [new Error("no"), "no"],
    [new TypeError("no"), "no"],
    ["text", "text"],
    [undefined, "undefined"],
    [404, "404"],
  ])("is the text of %p", (thrown, text) => {
    expect(errorText(thrown)).toBe(text);
  });

  it.each([
    ["an object without a prototype", Object.create(null)],
    [
      "an object whose toString throws",
      {
        toString() {
          throw new Error("no text");
        },
      },
    ],
  ])("is a text for %s too", (_, thrown) => {
    expect(typeof errorText(thrown)).toBe("string");
  });
});
