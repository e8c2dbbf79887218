import { describe, it } from "@jest/globals";
import { composePolicies, idleTimeout, retryResponse, totalTimeout } from "pi-agent-rx/operators";
import { defer, map } from "rxjs";
import { virtually } from "../support/virtually";
import { provider, request } from "./support/policies";

describe("composePolicies", () => {
  it("puts the first next to the source, and each one round those before it", () =>
    virtually(({ cold, expectObservable }) => {
      const add = (text: string) => () => map((value: string) => value + text);
      const both = composePolicies(add("1"), add("2"));
      expectObservable(cold("-a|").pipe(both({}))).toBe("-x|", { x: "a12" });
      expectObservable(cold("-a|").pipe(composePolicies<object, string>()({}))).toBe("-a|");
    }));

  it("makes a retry of what timed out", () =>
    virtually(({ cold, expectObservable }) => {
      const streams = [cold("-----------", provider), cold("-sd|", provider)];
      const policy = composePolicies(
        idleTimeout(3),
        retryResponse({ backoff: 2, jitter: 0 }),
        totalTimeout(20),
      );
      expectObservable(defer(() => streams.shift()!).pipe(policy(request()))).toBe("------sd|", provider);
    }));
});
