import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, lastValueFrom, map, NEVER, of, throwError, timer } from "rxjs";
import {
  endTurn,
  runControl,
  type AgentTurnContext,
  type EndTurnDeps,
  type ReactiveFinishTurn,
} from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, context, toolResult } from "../support/fixtures";
import { failingGate, openGate, slowGate } from "../support/gates";
import { virtually } from "../support/virtually";

const turn: AgentTurnContext = {
  message: assistant("a"),
  toolResults: [toolResult("1")],
  context: context() as AgentTurnContext["context"],
  newMessages: [],
};
const end = { type: "turn_end", message: turn.message, toolResults: turn.toolResults };
const ended = (deps: Partial<EndTurnDeps> = {}) =>
  of(turn).pipe(endTurn({ gate: openGate, control: runControl(5), ...deps }));
const stop = { action: "end", reason: "budget" } as const;

/** A control that is aborted at `at`, with a grace of 5. */
function abortedAt(at: number) {
  const control = runControl(5);
  if (at < 0) control.abort();
  else timer(at).subscribe(() => control.abort());
  return control;
}

describe("endTurn", () => {
  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      const stage = endTurn({ gate: openGate, control: runControl(), finishTurn: () => stop });
      expectObservable(EMPTY.pipe(stage)).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage)).toBe("#");
    });
  });

  it("tells turn_end, synchronously when there is nothing to wait for", () => {
    const seen: unknown[] = [];
    ended({ finishTurn: () => undefined }).subscribe((event) => seen.push(event));
    ended().subscribe((event) => seen.push(event));
    expect(seen).toEqual([end, end]);
  });

  it("asks finishTurn first, with the turn and the signal", () => {
    const order: string[] = [];
    const control = runControl();
    const finishTurn = jest.fn<ReactiveFinishTurn>(() => (order.push("finishTurn"), stop));
    const onDecision = jest.fn((_decision: unknown) => void order.push("decision"));
    ended({ control, finishTurn, onDecision }).subscribe(() => order.push("turn_end"));
    expect(order).toEqual(["finishTurn", "decision", "turn_end"]);
    expect(finishTurn.mock.calls).toEqual([[turn, control.signal]]);
    expect(onDecision.mock.calls).toEqual([[stop]]);
  });

  it("waits for the decision of an observable; an empty one decides nothing", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const onDecision = jest.fn();
      expectObservable(ended({ onDecision, finishTurn: () => cold("---(d|)", { d: stop }) })).toBe(
        "---(e|)",
        {
          e: end,
        },
      );
      expectObservable(ended({ onDecision, finishTurn: () => cold<undefined>("-|") })).toBe("-(e|)", {
        e: end,
      });
      flush();
      expect(onDecision.mock.calls).toEqual([[undefined], [stop]]);
    });
  });

  it.each(failingHooks)("fails without turn_end when finishTurn %s", async (_, finishTurn) => {
    const events = jest.fn();
    await expect(lastValueFrom(ended({ finishTurn }).pipe(map(events)))).rejects.toBe(hookError);
    expect(events).not.toHaveBeenCalled();
  });

  it("names finishTurn when it gives several values", () => {
    virtually(({ expectObservable }) => {
      const error = new TypeError("finishTurn: expected one value, got 2");
      expectObservable(ended({ finishTurn: () => of(stop, stop) })).toBe("#", undefined, error);
    });
  });

  it("leaves finishTurn when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const hook$ = cold<undefined>("-----d|");
      expectObservable(ended({ finishTurn: () => hook$ }), "^--!").toBe("----");
      expectSubscriptions(hook$.subscriptions).toBe("^--!");
    });
  });

  it("completes when the gate has let turn_end pass, and fails with the gate", () => {
    virtually(({ expectObservable }) => {
      expectObservable(ended({ gate: slowGate(3) })).toBe("---(e|)", { e: end });
      expectObservable(ended({ gate: failingGate("turn_end", "error") })).toBe("(e#)", { e: end });
    });
  });

  describe("after an abort", () => {
    it("asks finishTurn all the same and ignores its decision", () => {
      const [finishTurn, onDecision] = [jest.fn<ReactiveFinishTurn>(() => stop), jest.fn()];
      virtually(({ expectObservable }) => {
        expectObservable(ended({ control: abortedAt(-1), finishTurn, onDecision })).toBe("(e|)", { e: end });
      });
      expect(finishTurn).toHaveBeenCalledTimes(1);
      expect(onDecision).not.toHaveBeenCalledWith(stop);
    });

    it("gives finishTurn the grace, then goes on without it", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const stalled$ = cold<undefined>("---------");
        const finishTurn = () => stalled$;
        expectObservable(ended({ control: abortedAt(2), finishTurn })).toBe("-------(e|)", { e: end });
        expectSubscriptions(stalled$.subscriptions).toBe("^------!");
        expectObservable(ended({ control: abortedAt(2), finishTurn: () => cold<undefined>("----|") })).toBe(
          "----(e|)",
          { e: end },
        );
      });
    });

    it("ignores a decision that was under way", () => {
      virtually(({ cold, expectObservable, flush }) => {
        const onDecision = jest.fn();
        const finishTurn = () => cold("---(d|)", { d: stop });
        expectObservable(ended({ control: abortedAt(1), finishTurn, onDecision })).toBe("---(e|)", {
          e: end,
        });
        flush();
        expect(onDecision).not.toHaveBeenCalledWith(stop);
      });
    });

    it.each(failingHooks)("ignores that finishTurn %s", async (_, finishTurn) => {
      await expect(lastValueFrom(ended({ control: abortedAt(-1), finishTurn }))).resolves.toEqual(end);
    });

    it("goes on without a finishTurn that never settles and starts after the deadline", () => {
      virtually(({ expectObservable }) => {
        const control = runControl(0);
        control.abort();
        expectObservable(ended({ control, finishTurn: () => NEVER })).toBe("(e|)", { e: end });
      });
    });
  });
});
