import { describe, expect, it, jest } from "@jest/globals";
import { lastValueFrom, timer } from "rxjs";
import type { LoopRun } from "../../src/loop/loopRun";
import { takeFirstSteering as sequence } from "../../src/loop/takeFirstSteering";
import { runControl, type ReactiveLoopConfig } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { config, user } from "../support/fixtures";
import { resultOf } from "../support/sequences";
import { virtually } from "../support/virtually";

const steered = [user("steer")];
const runWith = (getSteeringMessages?: ReactiveLoopConfig["getSteeringMessages"]) =>
  ({ config: config({ getSteeringMessages }), control: runControl(5), pending: [] }) as unknown as LoopRun;

const takeFirstSteering = (run: LoopRun) => resultOf(() => sequence(run));

describe("takeFirstSteering", () => {
  it("keeps what it took, and that it left the queue", () => {
    const run = runWith(() => steered);
    takeFirstSteering(run).subscribe();
    expect(run.pending).toEqual(steered);
    expect(run.taken).toEqual({ queue: "steering", messages: steered });
  });

  it.each([[[]], [undefined]])("takes nothing for %p", (messages) => {
    const run = runWith(() => messages as never);
    takeFirstSteering(run).subscribe();
    expect(run.pending).toEqual([]);
  });

  it("completes when the hook has answered, or at once without one", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(takeFirstSteering(runWith(() => cold("---(m|)", { m: steered })))).toBe("---|");
      expectObservable(takeFirstSteering(runWith())).toBe("|");
    });
  });

  it.each(failingHooks)("fails when the hook %s", async (_, hook) => {
    await expect(lastValueFrom(takeFirstSteering(runWith(hook)))).rejects.toBe(hookError);
  });

  it("asks nothing after an abort", () => {
    const hook = jest.fn(() => steered);
    const run = runWith(hook);
    run.control.abort();
    takeFirstSteering(run).subscribe();
    expect(hook).not.toHaveBeenCalled();
    expect(run.taken).toBeUndefined();
  });

  it("keeps what comes within the grace of an abort, and leaves the hook at its end", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [graced$, stalled$] = [cold("---(m|)", { m: steered }), cold<typeof steered>("----------")];
      const [graced, stalled] = [runWith(() => graced$), runWith(() => stalled$)];
      timer(1).subscribe(() => [graced, stalled].forEach(({ control }) => control.abort()));
      expectObservable(takeFirstSteering(graced)).toBe("---|");
      expectObservable(takeFirstSteering(stalled)).toBe("------|");
      expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      flush();
      expect(graced.taken).toEqual({ queue: "steering", messages: steered });
    });
  });
});
