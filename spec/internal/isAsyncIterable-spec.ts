import { describe, expect, it } from "@jest/globals";
import { isAsyncIterable } from "../../src/internal/isAsyncIterable";

describe("isAsyncIterable", () => {
  it("knows async generators and what can be read like one", () => {
    expect(isAsyncIterable((async function* () {})())).toBe(true);
    expect(isAsyncIterable({ [Symbol.asyncIterator]: () => {} })).toBe(true);
  });

  it.each([[undefined], [null], [[]], ["text"], [{}], [new Set()]])("knows %p is none", (value) => {
    expect(isAsyncIterable(value)).toBe(false);
  });
});
