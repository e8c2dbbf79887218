import { describe, expect, it, jest } from "@jest/globals";
import { lastValueFrom, timer } from "rxjs";
import { ask } from "../../src/internal/ask";
import { runControl } from "../../src/internal/runControl";
import type { RunControl } from "../../src/types/gate";
import type { HookOutput } from "../../src/types/hooks";
import { failingHooks, hookError } from "../support/failingHooks";
import { resultOf } from "../support/sequences";
import { virtually } from "../support/virtually";

const asked = (
  call: () => HookOutput<string>,
  take: (value: string) => void = () => {},
  control?: RunControl,
) => resultOf(() => ask("hook", call, take, control));

describe("ask", () => {
  it("takes a plain value at once, that of a promise or an observable when it has come", async () => {
    const take = jest.fn();
    asked(() => "a", take).subscribe();
    expect(take.mock.calls).toEqual([["a"]]);
    await lastValueFrom(
      asked(() => Promise.resolve("b"), take),
      { defaultValue: undefined },
    );
    expect(take).toHaveBeenLastCalledWith("b");
    virtually(({ cold, expectObservable }) => {
      expectObservable(asked(() => cold("--(c|)"), take)).toBe("--|");
    });
    expect(take).toHaveBeenLastCalledWith("c");
  });

  it.each(failingHooks)("fails when the hook %s", async (_, hook) => {
    await expect(lastValueFrom(asked(hook as never))).rejects.toBe(hookError);
  });

  it("leaves a hook that outlasts the grace, and takes nothing of it", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [stalled$, take] = [cold("---------(a|)"), jest.fn()];
      const control = runControl(5);
      timer(1).subscribe(() => control.abort());
      expectObservable(asked(() => stalled$, take, control)).toBe("------|");
      expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      flush();
      expect(take).not.toHaveBeenCalled();
    });
  });

  it("takes an error after an abort for an end", async () => {
    const control = runControl(5);
    control.abort();
    for (const [, hook] of failingHooks)
      await expect(
        lastValueFrom(asked(hook as never, undefined, control), { defaultValue: "end" }),
      ).resolves.toBe("end");
  });
});
