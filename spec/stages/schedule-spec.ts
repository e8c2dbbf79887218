import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, lastValueFrom, of, throwError, toArray } from "rxjs";
import { runControl, schedule, type EndedTurn, type NextTurn, type ScheduleDeps } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, context, user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const steer = [user("steer")];
const follow = [user("follow")];
const update = { thinkingLevel: "high" as const };

/** A turn that ended and leaves nothing to do. */
function ended(
  fields: Partial<EndedTurn> = {},
  stopReason: "stop" | "error" | "aborted" = "stop",
): EndedTurn {
  const message = assistant("a", { stopReason });
  const turn = { message, toolResults: [], context: context() as never, newMessages: [] };
  return { turn, hasToolResults: false, ...fields };
}

const stage = (deps: Partial<ScheduleDeps>) => schedule({ control: runControl(), ...deps });

/** What follows a turn, when everything is synchronous. */
function following(turn: EndedTurn, deps: Partial<ScheduleDeps> = {}): NextTurn[] {
  const seen: NextTurn[] = [];
  of(turn)
    .pipe(stage(deps))
    .subscribe((next) => seen.push(next));
  return seen;
}

/** Hooks that give nothing and write down that they were called. */
function quiet() {
  const calls: string[] = [];
  const deps = {
    getSteeringMessages: () => (calls.push("steering"), []),
    getFollowUpMessages: () => (calls.push("followUp"), []),
    prepareNextTurn: () => void calls.push("prepare"),
  };
  return { calls, deps };
}

const none: NextTurn = { queued: { queue: "steering", messages: [] } };

describe("schedule", () => {
  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      expectObservable(EMPTY.pipe(stage({}))).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage({}))).toBe("#");
    });
  });

  it("ends the run when nothing is left to do", () => {
    const { calls, deps } = quiet();
    expect(following(ended())).toEqual([]);
    expect(following(ended(), deps)).toEqual([]);
    expect(calls).toEqual(["steering", "followUp"]);
  });

  it("goes on when there are tool results, without asking for follow-ups", () => {
    const { calls, deps } = quiet();
    expect(following(ended({ hasToolResults: true }))).toEqual([none]);
    expect(following(ended({ hasToolResults: true }), deps)).toEqual([{ ...none, update: undefined }]);
    expect(calls).toEqual(["steering", "prepare", "steering"]);
  });

  it("goes on with steering messages, with and without tool results", () => {
    const getFollowUpMessages = jest.fn(() => follow);
    for (const hasToolResults of [true, false]) {
      const next = following(ended({ hasToolResults }), {
        getSteeringMessages: () => steer,
        getFollowUpMessages,
      });
      expect(next).toEqual([{ queued: { queue: "steering", messages: steer } }]);
    }
    expect(getFollowUpMessages).not.toHaveBeenCalled();
  });

  it("goes on with follow-ups when the run would stop, and asks for no more steering then", () => {
    const { calls, deps } = quiet();
    const next = following(ended(), { ...deps, getFollowUpMessages: () => follow });
    expect(next).toEqual([{ update: undefined, queued: { queue: "followUp", messages: follow } }]);
    expect(calls).toEqual(["steering", "prepare"]);
  });

  it("goes on once by the decision to continue", () => {
    const decision = { action: "continue" } as const;
    expect(following(ended({ decision }))).toEqual([none]);
    const { calls, deps } = quiet();
    expect(following(ended({ decision }), deps)).toHaveLength(1);
    expect(calls).toEqual(["steering", "followUp", "prepare", "steering"]);
  });

  it.each([
    ["the decision to end", ended({ hasToolResults: true, decision: { action: "end" } })],
    ["an error", ended({ hasToolResults: true }, "error")],
    ["an aborted response", ended({ hasToolResults: true }, "aborted")],
  ])("takes nothing after %s", (_, turn) => {
    const { calls, deps } = quiet();
    expect(following(turn, deps)).toEqual([]);
    expect(calls).toEqual([]);
  });

  it("hands the turn to prepareNextTurn and its update on", () => {
    const turn = ended({ hasToolResults: true });
    const prepareNextTurn = jest.fn(() => update);
    expect(following(turn, { prepareNextTurn })).toEqual([{ ...none, update }]);
    expect(prepareNextTurn.mock.calls).toEqual([[turn.turn]]);
  });

  it("takes steering once more after prepareNextTurn when none was taken before", () => {
    const getSteeringMessages = jest
      .fn<() => typeof steer>()
      .mockReturnValueOnce([])
      .mockReturnValueOnce(steer);
    const next = following(ended({ hasToolResults: true }), {
      getSteeringMessages,
      prepareNextTurn: () => update,
    });
    expect(next).toEqual([{ update, queued: { queue: "steering", messages: steer } }]);
  });

  it("tells what was taken as soon as it left its queue", () => {
    const order: unknown[] = [];
    following(ended(), {
      getFollowUpMessages: () => follow,
      prepareNextTurn: () => void order.push("prepare"),
      onTaken: (taken) => order.push(taken),
    });
    expect(order).toEqual([{ queue: "followUp", messages: follow }, "prepare"]);
  });

  it("takes nothing for undefined", () => {
    const nothing = () => undefined as never;
    const deps = { getSteeringMessages: nothing, getFollowUpMessages: nothing, onTaken: jest.fn() };
    expect(following(ended(), deps)).toEqual([]);
    expect(deps.onTaken).not.toHaveBeenCalled();
  });

  it("asks one hook after another", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const steering$ = cold<typeof steer>("--(m|)", { m: [] });
      const followUp$ = cold("---(m|)", { m: follow });
      const prepare$ = cold("-(u|)", { u: update });
      const next$ = of(ended()).pipe(
        stage({
          getSteeringMessages: () => steering$,
          getFollowUpMessages: () => followUp$,
          prepareNextTurn: () => prepare$,
        }),
      );
      const next = { update, queued: { queue: "followUp", messages: follow } };
      expectObservable(next$).toBe("------(n|)", { n: next });
      expectSubscriptions(steering$.subscriptions).toBe("^-!");
      expectSubscriptions(followUp$.subscriptions).toBe("--^--!");
      expectSubscriptions(prepare$.subscriptions).toBe("-----^!");
    });
  });

  describe.each(["getSteeringMessages", "getFollowUpMessages", "prepareNextTurn"] as const)("%s", (name) => {
    const turn = ended({ hasToolResults: name === "prepareNextTurn" });
    const decided = (hook: () => never, control = runControl()) =>
      lastValueFrom(of(turn).pipe(stage({ [name]: hook, control }), toArray()));

    it.each(failingHooks)("fails the schedule when it %s", async (_, hook) => {
      await expect(decided(hook)).rejects.toBe(hookError);
    });

    it.each(failingHooks)("ends the run when it %s because of an abort", async (_, hook) => {
      const control = runControl();
      const aborting = () => (control.abort(), hook());
      await expect(decided(aborting, control)).resolves.toEqual([]);
    });

    it("is named when it gives several values", async () => {
      await expect(decided(() => of([], []) as never)).rejects.toThrow(`${name}: expected one value, got 2`);
    });

    it("is left when the stage is left, and at the deadline of an abort", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const [stalled$, left$] = [cold("-------"), cold("-------")];
        const control = runControl(3);
        cold("-x").subscribe(() => control.abort());
        expectObservable(of(turn).pipe(stage({ [name]: () => stalled$, control }))).toBe("----|");
        expectSubscriptions(stalled$.subscriptions).toBe("^---!");
        expectObservable(of(turn).pipe(stage({ [name]: () => left$ })), "^--!").toBe("---");
        expectSubscriptions(left$.subscriptions).toBe("^--!");
      });
    });
  });
});
