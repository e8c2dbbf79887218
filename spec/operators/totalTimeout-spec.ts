import { isRetryableAssistantError } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { totalTimeout } from "pi-agent-rx/operators";
import { assistant } from "../support/fixtures";
import { virtually } from "../support/virtually";
import { provider, request } from "./support/policies";

const error = assistant("a", {
  stopReason: "error",
  errorMessage: "The response took longer than 5 ms (timeout)",
});
const alphabet = { ...provider, t: { type: "error" as const, reason: "error" as const, error } };

describe("totalTimeout", () => {
  it("lets a response through that is in time", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("-sa-d|", provider);
      expectObservable(events$.pipe(totalTimeout(9)(request()))).toBe("-sa-d|", provider);
      expectSubscriptions(events$.subscriptions).toBe("^----!");
    }));

  it("ends one that takes longer as failed, though it goes on", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("-sa-a-a-a-d|", provider);
      expectObservable(events$.pipe(totalTimeout(5)(request()))).toBe("-sa-a(t|)", alphabet);
      expectSubscriptions(events$.subscriptions).toBe("^----!");
      expect(isRetryableAssistantError(error)).toBe(true);
    }));

  it("passes errors and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(totalTimeout(5)(request()))).toBe("-#");
      const left$ = cold("-s-d|", provider);
      expectObservable(left$.pipe(totalTimeout(5)(request())), "^-!").toBe("-s-", provider);
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("names what it expects", () => {
    expect(() => totalTimeout(-1)).toThrow(
      "totalTimeout: expected a number of ms from 0 to 2147483647, got -1",
    );
  });
});
