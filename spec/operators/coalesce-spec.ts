import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { coalesce, conversation } from "pi-agent-rx/operators";
import { concatMap, delay, from, of } from "rxjs";
import { assistant, call, model } from "../support/fixtures";
import { delta, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const one = call("1");
const two = call("2");
const partial = assistant("");
const alphabet = {
  s: event.start(partial),
  a: event.update(partial, "text_delta", "a"),
  b: event.update(partial, "text_delta", "b"),
  c: event.update(partial, "text_delta", "c"),
  e: event.end(partial),
  x: event.toolUpdate(one, "x"),
  y: event.toolUpdate(two, "y"),
  z: event.toolUpdate(one, "z"),
};

describe("coalesce", () => {
  it("emits the latest update once per window", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("sab--c----a-|", alphabet);
      expectObservable(events$.pipe(coalesce({ ms: 3 }))).toBe("s---b---c---(a|)", alphabet);
      expectSubscriptions(events$.subscriptions).toBe("^-----------!");
    }));

  it("flushes before every event that is no update, and at the end", () =>
    virtually(({ cold, expectObservable }) => {
      const events$ = cold("-ab(ce)-a|", alphabet);
      expectObservable(events$.pipe(coalesce({ ms: 99 }))).toBe("---(ce)--(a|)", alphabet);
    }));

  it("keeps the updates of each call apart", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("xyz", alphabet).pipe(coalesce({ ms: 5 }))).toBe("-----(yz)", alphabet);
    }));

  it("emits once per frame", () =>
    virtually(({ cold, animate, expectObservable }) => {
      animate("---x---x---x");
      expectObservable(cold("sab--c-|", alphabet).pipe(coalesce({ frame: true }))).toBe(
        "s--b---(c|)",
        alphabet,
      );
    }));

  it("coalesces values that are no events", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("123-----4|").pipe(coalesce({ ms: 4 }))).toBe("----3----(4|)");
      const isDigit = (value: string) => /\d/.test(value) || undefined;
      expectObservable(cold("12a---3|").pipe(coalesce({ ms: 9, key: isDigit }))).toBe("--(2a)-(3|)");
    }));

  it("flushes before an error", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("-a#", alphabet).pipe(coalesce({ ms: 9 }))).toBe("--(a#)", alphabet);
    }));

  it("drops what is held when it is left", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const left$ = cold("-a----|", alphabet);
      expectObservable(left$.pipe(coalesce({ ms: 3 })), "^--!").toBe("---");
      expectSubscriptions(left$.subscriptions).toBe("^--!");
    }));

  it("names what it expects", () => {
    expect(() => coalesce({})).toThrow("coalesce: expected ms ≥ 0 or frame");
    expect(() => coalesce({ ms: -1 })).toThrow("coalesce: expected ms ≥ 0 or frame");
  });

  it("ends at the same picture of an agent's run, in fewer emissions", () => {
    const all: unknown[] = [];
    const few: unknown[] = [];
    virtually(() => {
      const events = [start(assistant([])), ..."abcdefgh".split("").map(delta), terminal(assistant("h"))];
      const agent = new Agent({
        initialState: { model },
        streamFn: () => from(events).pipe(concatMap((value) => of(value).pipe(delay(1)))),
      });
      const view$ = agent.events$.pipe(conversation());
      view$.subscribe(({ items }) => all.push(items));
      view$.pipe(coalesce({ ms: 4 })).subscribe(({ items }) => few.push(items));
      agent.prompt$("x").subscribe();
    });
    expect(few.length).toBeLessThan(all.length / 2);
    expect(few.at(-1)).toEqual(all.at(-1));
  });
});
