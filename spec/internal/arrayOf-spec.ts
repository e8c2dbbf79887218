import { describe, expect, it } from "@jest/globals";
import { arrayOf } from "../../src/internal/arrayOf";

describe("arrayOf", () => {
  it("gives an array back, the same one", () => {
    const images: string[] = ["a"];
    expect(arrayOf("images", "images", images)).toBe(images);
  });

  it("names the part, what it should hold, and what came", () => {
    expect(() => arrayOf("tools", "tools", undefined)).toThrow(
      "tools: expected an array of tools, got undefined",
    );
    expect(() => arrayOf("images", "images", {} as never)).toThrow(TypeError);
  });
});
