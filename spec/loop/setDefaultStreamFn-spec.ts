import { afterEach, describe, expect, it } from "@jest/globals";
import { setDefaultStreamFn } from "pi-agent-rx";
import { assistant } from "../support/fixtures";
import { run } from "../support/loop";
import { answers } from "../support/providerEvents";
import { lastValueFrom } from "rxjs";

const started = () => lastValueFrom(run({ streamFn: undefined }));

describe("setDefaultStreamFn", () => {
  afterEach(() => setDefaultStreamFn(undefined));

  it("serves those who are given none, until it is taken back", async () => {
    setDefaultStreamFn(answers(assistant("default")));
    await expect(started()).resolves.toMatchObject({ outcome: "completed" });
    setDefaultStreamFn(undefined);
    await expect(started()).rejects.toThrow("streamFn is required");
  });

  it.each([[null], [1], ["fn"], [{}]])("refuses %p", (streamFn) => {
    expect(() => setDefaultStreamFn(streamFn as never)).toThrow("streamFn: expected a function");
  });
});
