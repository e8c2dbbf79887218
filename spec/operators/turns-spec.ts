import { describe, expect, it } from "@jest/globals";
import { agentRun } from "pi-agent-rx";
import { turns, type Turn } from "pi-agent-rx/operators";
import { assistant, call, config, context, tool, user } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const hi = user("hi");
const answer = assistant("hello");
const alphabet = {
  r: event.runStart,
  t: event.turnStart,
  u: event.end(hi),
  a: event.end(answer),
  e: event.turnEnd(answer),
  x: event.runEnd,
};
const turn = (number: number, fields: Partial<Turn> = {}): Turn => ({
  number,
  input: [],
  message: answer,
  toolResults: [],
  durationMs: 3,
  ...fields,
});

describe("turns", () => {
  it("gives each turn when it has ended, and counts anew in each run", () =>
    virtually(({ cold, expectObservable }) => {
      const events$ = cold("rtuaet--exrt--e|", alphabet);
      expectObservable(events$.pipe(turns())).toBe("----a---b-----c|", {
        a: turn(1, { input: [hi] }),
        b: turn(2),
        c: turn(1),
      });
    }));

  it("shows what is left of a turn that had begun before", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("--e", alphabet).pipe(turns())).toBe("--a", { a: turn(1, { durationMs: 2 }) });
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold("t#", alphabet).pipe(turns())).toBe("-#");
      const left$ = cold("t--e|", alphabet);
      expectObservable(left$.pipe(turns()), "^-!").toBe("--");
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("works on the bare loop", () => {
    const seen: Turn[] = [];
    virtually(() => {
      const streamFn = answers(assistant([call("1")]), assistant("bye"));
      agentRun({ prompts: [hi], context: context([], [tool()]), config: config(), streamFn })
        .pipe(turns())
        .subscribe((value) => seen.push(value));
    });
    expect(seen.map(({ number, toolResults }) => [number, toolResults.length])).toEqual([
      [1, 1],
      [2, 0],
    ]);
    expect(seen[0]?.input).toContain(hi);
  });
});
