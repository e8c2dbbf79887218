import { describe, expect, it } from "@jest/globals";
import { EMPTY, from, map, of, range, throwError } from "rxjs";
import { commitMessages } from "pi-agent-rx";
import { system, user } from "../support/fixtures";
import { failingGate, openGate, slowGate } from "../support/gates";
import { label } from "../support/label";
import { virtually } from "../support/virtually";

const words = {
  s: "message_start user",
  e: "message_end user",
  S: "message_start system",
  E: "message_end system",
};

describe("commitMessages", () => {
  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      expectObservable(EMPTY.pipe(commitMessages({ gate: openGate }))).toBe("|");
      expectObservable(throwError(() => "error").pipe(commitMessages({ gate: openGate }))).toBe("#");
    });
  });

  it("tells start and end of each message, in order and synchronously", () => {
    const seen: string[] = [];
    from([system("be brief"), user("hi")])
      .pipe(commitMessages({ gate: openGate }), map(label))
      .subscribe((word) => seen.push(word));
    expect(seen).toEqual([words.S, words.E, words.s, words.e]);
  });

  it("shows the message itself", () => {
    const message = user("hi");
    of(message)
      .pipe(commitMessages({ gate: openGate }))
      .subscribe((event) => expect("message" in event && event.message).toBe(message));
    expect.assertions(2);
  });

  it("starts a message when the one before has passed", () => {
    virtually(({ expectObservable }) => {
      const messages$ = from([system("be brief"), user("hi")]);
      const told$ = messages$.pipe(commitMessages({ gate: slowGate(5, "message_end") }), map(label));
      expectObservable(told$).toBe("S----(Es)-(e|)", words);
    });
  });

  it("tells no more when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const messages$ = cold("ab-------|", { a: system("be brief"), b: user("hi") });
      const told$ = messages$.pipe(commitMessages({ gate: slowGate(2) }), map(label));
      expectObservable(told$, "^------!").toBe("--S-E-s", words);
      expectSubscriptions(messages$.subscriptions).toBe("^------!");
    });
  });

  it("fails with the gate, after the end of the message it was at", () => {
    virtually(({ expectObservable }) => {
      const told$ = from([user("a"), user("b")]).pipe(
        commitMessages({ gate: failingGate("message_start", "error") }),
        map(label),
      );
      expectObservable(told$).toBe("(se#)", words);
    });
  });

  it("stays flat over 10,000 messages", () => {
    let events = 0;
    range(10_000)
      .pipe(
        map((n) => user(`${n}`)),
        commitMessages({ gate: openGate }),
      )
      .subscribe(() => events++);
    expect(events).toBe(20_000);
  });
});
