import { describe, expect, it, jest } from "@jest/globals";
import { of } from "rxjs";
import { holdFailure } from "../../src/internal/holdFailure";
import { failingGate, openGate } from "../support/gates";
import { virtually } from "../support/virtually";
import type { AgentEvent } from "../../src/types/event";

const event: AgentEvent = { type: "agent_start" };

describe("holdFailure", () => {
  it("completes where the gate fails, after the event", () => {
    virtually(({ cold, expectObservable }) => {
      const { gate } = holdFailure(failingGate("agent_start", "error"), () => {});
      expectObservable(cold("-e-|", { e: event }).pipe(gate)).toBe("-(e|)", { e: event });
    });
  });

  it("fails later with the first failure, and tells of each", () => {
    virtually(() => {
      const onFailure = jest.fn();
      let n = 0;
      const { gate, release } = holdFailure(
        (events$) => events$.pipe(failingGate("agent_start", `error ${++n}`)),
        onFailure,
      );
      of(event).pipe(gate).subscribe();
      of(event).pipe(gate).subscribe();
      expect(onFailure.mock.calls).toEqual([["error 1"], ["error 2"]]);
      expect(release).toThrow("error 1");
    });
  });

  it("completes when nothing failed", () => {
    virtually(({ expectObservable }) => {
      const { gate, release } = holdFailure(openGate, () => {});
      expectObservable(of(event).pipe(gate)).toBe("(e|)", { e: event });
      expect(release).not.toThrow();
    });
  });

  it("is as busy as the gate", () => {
    const busy = () => true;
    const gate = Object.assign((events$: Parameters<typeof openGate>[0]) => events$, { busy });
    expect(holdFailure(gate, () => {}).gate.busy).toBe(busy);
    expect(holdFailure(openGate, () => {}).gate.busy).toBeUndefined();
  });
});
