import { describe, expect, it } from "@jest/globals";
import { map } from "rxjs";
import { steps } from "../../src/internal/steps";
import { teller } from "../../src/internal/teller";
import { tellMessage } from "../../src/internal/tellMessage";
import type { AgentEvent } from "../../src/types/event";
import type { Gate } from "../../src/types/gate";
import type { AgentMessage } from "../../src/types/messages";
import { user } from "../support/fixtures";
import { failingGate, openGate, slowGate } from "../support/gates";
import { label } from "../support/label";
import { virtually } from "../support/virtually";

const words = { s: "message_start user", e: "message_end user" };

const told = (gate: Gate, message: AgentMessage) =>
  steps<AgentEvent>((emit) => tellMessage(teller(gate, emit), message));

describe("tellMessage", () => {
  it("tells start and end of the message", () => {
    const message = user("hi");
    const seen: AgentEvent[] = [];
    told(openGate, message).subscribe((event) => seen.push(event));
    expect(seen.map(label)).toEqual([words.s, words.e]);
    for (const event of seen) expect(event).toHaveProperty("message", message);
  });

  it("tells the end when the start has passed", () => {
    virtually(({ expectObservable }) => {
      const told$ = told(slowGate(2), user("hi")).pipe(map(label));
      expectObservable(told$).toBe("--s-(e|)", words);
      expectObservable(told$, "^--!").toBe("--s", words);
    });
  });

  it("fails after the end when the gate fails at the start", () => {
    virtually(({ expectObservable }) => {
      const told$ = told(failingGate("message_start", "error"), user("hi")).pipe(map(label));
      expectObservable(told$).toBe("(se#)", words);
    });
  });

  it("fails when the gate fails at the end", () => {
    virtually(({ expectObservable }) => {
      const told$ = told(failingGate("message_end", "error"), user("hi")).pipe(map(label));
      expectObservable(told$).toBe("(se#)", words);
    });
  });
});
