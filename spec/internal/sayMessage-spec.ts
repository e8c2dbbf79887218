import { describe, expect, it } from "@jest/globals";
import { map } from "rxjs";
import { sayMessage } from "../../src/internal/sayMessage";
import type { AgentEvent } from "../../src/types/event";
import { user } from "../support/fixtures";
import { failingGate, openGate, slowGate } from "../support/gates";
import { label } from "../support/label";
import { virtually } from "../support/virtually";

const words = { s: "message_start user", e: "message_end user" };

describe("sayMessage", () => {
  it("tells start and end of the message", () => {
    const message = user("hi");
    const seen: AgentEvent[] = [];
    sayMessage(openGate, message).subscribe((event) => seen.push(event));
    expect(seen.map(label)).toEqual([words.s, words.e]);
    for (const event of seen) expect(event).toHaveProperty("message", message);
  });

  it("tells the end when the start has passed", () => {
    virtually(({ expectObservable }) => {
      const said$ = sayMessage(slowGate(2), user("hi")).pipe(map(label));
      expectObservable(said$).toBe("--s-(e|)", words);
      expectObservable(said$, "^--!").toBe("--s", words);
    });
  });

  it("fails after the end when the gate fails at the start", () => {
    virtually(({ expectObservable }) => {
      const said$ = sayMessage(failingGate("message_start", "error"), user("hi")).pipe(map(label));
      expectObservable(said$).toBe("(se#)", words);
    });
  });

  it("fails when the gate fails at the end", () => {
    virtually(({ expectObservable }) => {
      const said$ = sayMessage(failingGate("message_end", "error"), user("hi")).pipe(map(label));
      expectObservable(said$).toBe("(se#)", words);
    });
  });
});
