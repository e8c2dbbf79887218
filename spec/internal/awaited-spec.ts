import { describe, expect, it } from "@jest/globals";
import { lastValueFrom, of } from "rxjs";
import { awaited } from "../../src/internal/awaited";

describe("awaited", () => {
  it("is nothing for a plain value", () => {
    for (const value of [undefined, null, 1, "a", [1], { a: 1 }])
      expect(awaited("hook", value)).toBeUndefined();
  });

  it("is the one value that a promise or an observable brings", async () => {
    await expect(lastValueFrom(awaited("hook", Promise.resolve(1))!)).resolves.toBe(1);
    await expect(lastValueFrom(awaited("hook", of(2))!)).resolves.toBe(2);
    await expect(lastValueFrom(awaited("hook", of(1, 2))!)).rejects.toThrow(
      "hook: expected one value, got 2",
    );
  });
});
