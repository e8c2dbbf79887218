import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent } from "pi-agent-rx";
import { coalesce, conversation, toStore } from "pi-agent-rx/operators";
import { concatMap, concatWith, delay, from, Observable, of, pipe } from "rxjs";
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
      const events$ = cold("sab(ce)-a|", alphabet);
      expectObservable(events$.pipe(coalesce({ ms: 99 }))).toBe("s--(ce)--(a|)", alphabet);
    }));

  it("keeps the updates of each call apart", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("xyz", alphabet).pipe(coalesce({ ms: 5 }))).toBe("x----(yz)", alphabet);
    }));

  it("passes the first value at once, so that a store has one", () =>
    virtually(({ hot, expectObservable }) => {
      const store = toStore(
        of("first")
          .pipe(concatWith(hot("--12-3")))
          .pipe(coalesce({ ms: 4 })),
      );
      expect(store.getSnapshot()).toBe("first");
      const told$ = new Observable<string>((subscriber) =>
        store.subscribe((value) => subscriber.next(value)),
      );
      expectObservable(told$, "^------------!").toBe("f---2----3", { f: "first", 2: "2", 3: "3" });
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
      expectObservable(cold("123-----4|").pipe(coalesce({ ms: 4 }))).toBe("1---3----(4|)");
      const isDigit = (value: string) => /\d/.test(value) || undefined;
      expectObservable(cold("12a---3|").pipe(coalesce({ ms: 9, key: isDigit }))).toBe("1-(2a)-(3|)");
    }));

  it("flushes before an error", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("-ab#", alphabet).pipe(coalesce({ ms: 9 }))).toBe("-a-(b#)", alphabet);
    }));

  it("drops what is held when it is left", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const left$ = cold("-ab----|", alphabet);
      expectObservable(left$.pipe(coalesce({ ms: 4 })), "^---!").toBe("-a--", alphabet);
      expectSubscriptions(left$.subscriptions).toBe("^---!");
    }));

  it("names what it expects", () => {
    expect(() => coalesce({})).toThrow(
      "coalesce: ms: expected a number of ms, or frame: true, got undefined",
    );
    expect(() => coalesce({ ms: -1 })).toThrow("coalesce: ms: expected a number of ms from 0");
  });

  it.each([
    ["behind", pipe(conversation(), coalesce({ ms: 4 }))],
    ["in front of", pipe(coalesce<AgentEvent>({ ms: 4 }), conversation())],
  ])("ends at the same picture of an agent's run, in fewer emissions, %s the conversation", (_, views) => {
    const all: unknown[] = [];
    const few: unknown[] = [];
    virtually(() => {
      const events = [start(assistant([])), ..."abcdefgh".split("").map(delta), terminal(assistant("h"))];
      const agent = new Agent({
        initialState: { model },
        streamFn: () => from(events).pipe(concatMap((value) => of(value).pipe(delay(1)))),
      });
      agent.events$.pipe(conversation()).subscribe(({ items }) => all.push(items));
      agent.events$.pipe(views).subscribe(({ items }) => few.push(items));
      agent.prompt$("x").subscribe();
    });
    expect(few.length).toBeLessThan(all.length);
    expect(few.at(-1)).toEqual(all.at(-1));
  });
});
