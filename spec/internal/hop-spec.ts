import { describe, expect, it } from "@jest/globals";
import { lastValueFrom } from "rxjs";
import { hop } from "../../src/internal/hop";
import { virtually } from "../support/virtually";

describe("hop", () => {
  it("completes after what is synchronous and before any timer", async () => {
    const seen: string[] = [];
    const timer = setTimeout(() => seen.push("timer"));
    const hopped = lastValueFrom(hop(), { defaultValue: undefined }).then(() => seen.push("hop"));
    seen.push("sync");
    await hopped;
    clearTimeout(timer);
    expect(seen).toEqual(["sync", "hop"]);
  });

  it("takes no virtual time and can be left", () => {
    virtually(({ expectObservable }) => {
      expectObservable(hop()).toBe("|");
      expectObservable(hop(), "(^!)").toBe("");
    });
  });
});
