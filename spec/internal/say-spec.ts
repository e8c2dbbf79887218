import { describe, expect, it, jest } from "@jest/globals";
import { say } from "../../src/internal/say";
import type { AgentEvent } from "../../src/types/event";
import { openGate, slowGate } from "../support/gates";
import { virtually } from "../support/virtually";

const event: AgentEvent = { type: "agent_start" };

describe("say", () => {
  it("makes the event when its turn has come", () => {
    const make = jest.fn(() => event);
    const said$ = say(openGate, make);
    expect(make).not.toHaveBeenCalled();
    said$.subscribe();
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("completes when the gate has let the event pass", () => {
    virtually(({ expectObservable }) => {
      expectObservable(say(slowGate(3), () => event)).toBe("---(e|)", { e: event });
    });
  });

  it("fails when the event cannot be made", () => {
    virtually(({ expectObservable }) => {
      const make = (): never => {
        throw "error";
      };
      expectObservable(say(openGate, make)).toBe("#");
    });
  });

  it("makes nothing when it was left before", () => {
    virtually(({ expectObservable }) => {
      expectObservable(
        say(slowGate(3), () => event),
        "^-!",
      ).toBe("---");
    });
  });
});
