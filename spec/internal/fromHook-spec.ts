import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, firstValueFrom, of, throwError, timer, map } from "rxjs";
import { fromHook } from "../../src/internal/fromHook";
import { nothingStray, settled } from "../support/nothingStray";
import { virtually } from "../support/virtually";

describe("fromHook", () => {
  nothingStray();

  it("calls the hook on subscription, each time", () => {
    const hook = jest.fn(() => 1);
    const value$ = fromHook("hook", hook);
    expect(hook).not.toHaveBeenCalled();
    value$.subscribe();
    value$.subscribe();
    expect(hook).toHaveBeenCalledTimes(2);
  });

  it("gives a plain value synchronously", () => {
    const seen: unknown[] = [];
    fromHook("hook", () => "value").subscribe({
      next: (value) => seen.push(value),
      complete: () => seen.push("end"),
    });
    expect(seen).toEqual(["value", "end"]);
  });

  it.each([[[1, 2]], [undefined], [null], ["text"], [new Map([[1, 2]])]])(
    "gives %p as one value",
    (value) => {
      const seen: unknown[] = [];
      fromHook<unknown>("hook", () => value).subscribe((got) => seen.push(got));
      expect(seen).toEqual([value]);
    },
  );

  it("gives the array of a promise and of an observable as one value", async () => {
    await expect(firstValueFrom(fromHook("hook", () => Promise.resolve([1, 2])))).resolves.toEqual([1, 2]);
    await expect(firstValueFrom(fromHook("hook", () => of([1, 2])))).resolves.toEqual([1, 2]);
  });

  it("takes anything with a then", async () => {
    const thenable = { then: (resolve: (value: number) => void) => resolve(3) } as PromiseLike<number>;
    await expect(firstValueFrom(fromHook("hook", () => thenable))).resolves.toBe(3);
  });

  it("fails as the hook fails, whichever way", async () => {
    const error = new Error("no");
    const thrower = () => {
      throw error;
    };
    await expect(firstValueFrom(fromHook("hook", thrower))).rejects.toBe(error);
    await expect(firstValueFrom(fromHook("hook", () => Promise.reject(error)))).rejects.toBe(error);
    await expect(firstValueFrom(fromHook("hook", () => throwError(() => error)))).rejects.toBe(error);
  });

  it("waits for an observable in its time", () => {
    virtually(({ expectObservable }) => {
      expectObservable(fromHook("hook", () => timer(3).pipe(map(() => "v")))).toBe("---(v|)");
    });
  });

  it("gives undefined for an observable that completes empty", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(fromHook("hook", () => cold<string>("--|"))).toBe("--(u|)", { u: undefined });
      expectObservable(fromHook("hook", () => EMPTY)).toBe("(u|)", { u: undefined });
    });
  });

  it("names the hook when an observable gives several values", () => {
    virtually(({ expectObservable }) => {
      const error = new TypeError("finishTurn: expected one value, got 2");
      expectObservable(fromHook("finishTurn", () => of(1, 2))).toBe("#", undefined, error);
    });
  });

  it("lets go of an observable that emits and never completes", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold("--v---");
      expectObservable(fromHook("hook", () => hook$)).toBe("--(v|)");
      expectSubscriptions(hook$.subscriptions).toBe("^-!");
    });
  });

  it("unsubscribes from the hook's observable", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold("-----v|");
      expectObservable(
        fromHook("hook", () => hook$),
        "^--!",
      ).toBe("----");
      expectSubscriptions(hook$.subscriptions).toBe("^--!");
    });
  });

  it("ignores a promise that rejects after it was left", async () => {
    let reject = (_error: Error) => {};
    const promise = new Promise<number>((_, no) => (reject = no));
    const error = jest.fn();
    fromHook("hook", () => promise)
      .subscribe({ error })
      .unsubscribe();
    reject(new Error("late"));
    await settled();
    expect(error).not.toHaveBeenCalled();
  });
});
