import { describe, expect, it } from "@jest/globals";
import { pick } from "../../src/internal/pick";

describe("pick", () => {
  it("takes the named fields and no other", () => {
    expect(pick({ a: 1, b: 2, c: 3 }, ["a", "c"])).toEqual({ a: 1, c: 3 });
    expect(pick({ a: 1 }, [])).toEqual({});
  });

  it("gives undefined for what is not there", () => {
    const source: { a?: number; b: number } = { b: 2 };
    expect(pick(source, ["a"])).toStrictEqual({ a: undefined });
  });
});
