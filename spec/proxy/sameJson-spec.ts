import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { sameJson } from "../../src/proxy/sameJson";

describe("sameJson", () => {
  it("knows a copy, whatever the order of its keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
          typeof inner === "object" && inner !== null && !Array.isArray(inner)
            ? Object.fromEntries(Object.entries(inner).reverse())
            : inner,
        );
        expect(sameJson(JSON.parse(JSON.stringify(value)), copy)).toBe(true);
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [[1], [1, 2]],
    [[], {}],
    [{ a: null }, {}],
    [null, {}],
    ["1", 1],
    [{ a: { b: [1] } }, { a: { b: [2] } }],
  ])("tells %j from %j", (left, right) => {
    expect(sameJson(left, right)).toBe(false);
  });

  it("takes an undefined property for none", () => {
    expect(sameJson({ a: 1, b: undefined }, { a: 1 })).toBe(true);
  });
});
