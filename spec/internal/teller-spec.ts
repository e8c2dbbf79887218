import { describe, expect, it } from "@jest/globals";
import { identity, map, Subject, throwError, timer } from "rxjs";
import { teller } from "../../src/internal/teller";
import type { AgentEvent } from "../../src/types/event";
import { failingGate, laneOf, slowGate } from "../support/gates";
import { toldBy } from "../support/sequences";
import { virtually } from "../support/virtually";

const event: AgentEvent = { type: "agent_start" };

describe("teller", () => {
  it("tells at once where nobody is waited for, and gives no step", () => {
    for (const gate of [identity, laneOf(() => undefined)]) {
      const told: AgentEvent[] = [];
      expect(teller(gate, (passed) => told.push(passed))(event)).toBeUndefined();
      expect(told).toEqual([event]);
    }
  });

  it("gives what is waited for, by a lane or by any other gate", () => {
    virtually(({ cold, expectObservable }) => {
      const slow = laneOf(() => cold<never>("---|"));
      for (const gate of [slow, slowGate(3)])
        expectObservable(toldBy((emit) => teller(gate, emit)(event))).toBe("---(e|)", { e: event });
    });
  });

  it("fails after the event when the gate fails", () => {
    virtually(({ cold, expectObservable }) => {
      const failing = laneOf(() => cold<never>("-#"));
      expectObservable(toldBy((emit) => teller(failing, emit)(event))).toBe("-(e#)", { e: event });
      const other = failingGate("agent_start", "error");
      expectObservable(toldBy((emit) => teller(other, emit)(event))).toBe("(e#)", { e: event });
      const throwing = laneOf(() => {
        throw "error";
      });
      expectObservable(toldBy((emit) => teller(throwing, emit)(event))).toBe("(e#)", { e: event });
    });
  });

  it("tells a failure instead of failing, when it is given whom to tell", () => {
    virtually(({ cold, expectObservable }) => {
      const lanes = [laneOf(() => cold<never>("-#")), laneOf(() => throwError(() => "error"))];
      for (const [gate, passes] of [
        [lanes[0]!, "-(e|)"],
        [lanes[1]!, "(e|)"],
        [failingGate("agent_start", "error"), "(e|)"],
      ] as const) {
        const failures: unknown[] = [];
        const onFailure = (error: unknown) => failures.push(error);
        const told$ = toldBy((emit) => teller(gate, emit, onFailure)(event));
        expectObservable(told$).toBe(passes, { e: event });
        expectObservable(timer(5).pipe(map(() => failures.splice(0)))).toBe("5ms (f|)", { f: ["error"] });
      }
    });
  });

  it("keeps the order of what waits", () => {
    const free$ = new Subject<never>();
    const told: string[] = [];
    const tell = teller(
      laneOf(({ type }) => (type === "agent_start" ? free$ : undefined)),
      ({ type }) => told.push(type),
    );
    tell(event);
    tell({ type: "turn_start" })?.subscribe();
    expect(told).toEqual([]);
    free$.complete();
    expect(told).toEqual(["agent_start", "turn_start"]);
  });
});
