import { describe, it } from "@jest/globals";
import { throwError } from "rxjs";
import { onResponseFailure } from "../../src/operators/onResponseFailure";
import { virtually } from "../support/virtually";
import { provider, request } from "./support/policies";

describe("onResponseFailure", () => {
  it("goes on with what it is given instead of the failure", () =>
    virtually(({ cold, expectObservable }) => {
      const recover = onResponseFailure(request(), () => cold("-d|", provider));
      expectObservable(cold("se|", provider).pipe(recover)).toBe("s-d|", provider);
    }));

  it("leaves a failure as it came when there is nothing to go on with", () =>
    virtually(({ cold, expectObservable }) => {
      const leave = onResponseFailure(request(), () => undefined);
      expectObservable(cold("se|", provider).pipe(leave)).toBe("se|", provider);
      const thrown = new Error("no");
      expectObservable(throwError(() => thrown).pipe(leave)).toBe("#", {}, thrown);
    }));

  it("does not recover from a failure of what it went on with", () =>
    virtually(({ cold, expectObservable }) => {
      const recover = onResponseFailure(request(), () => cold("-e|", provider));
      expectObservable(cold("e|", provider).pipe(recover)).toBe("-e|", provider);
      const failing = onResponseFailure(request(), () => cold<never>("-#"));
      expectObservable(cold("e|", provider).pipe(failing)).toBe("-#");
    }));

  it("recovers from nothing after an abort", () =>
    virtually(({ cold, expectObservable }) => {
      const recover = onResponseFailure(request({ signal: AbortSignal.abort() }), () =>
        cold("-d|", provider),
      );
      expectObservable(cold("e|", provider).pipe(recover)).toBe("e|", provider);
    }));
});
