import { afterEach, describe, expect, it } from "@jest/globals";
import { EMPTY } from "rxjs";
import { defaultStreamFn } from "../../src/internal/defaultStreamFn";

describe("defaultStreamFn", () => {
  afterEach(() => defaultStreamFn.set(undefined));

  it("gives what was set", () => {
    const streamFn = () => EMPTY;
    defaultStreamFn.set(streamFn);
    expect(defaultStreamFn.get()).toBe(streamFn);
  });

  it("says what to do when nothing was set, or it was taken back", () => {
    expect(() => defaultStreamFn.get()).toThrow("streamFn is required");
    defaultStreamFn.set(() => EMPTY);
    defaultStreamFn.set(undefined);
    expect(() => defaultStreamFn.get()).toThrow("setDefaultStreamFn()");
  });
});
