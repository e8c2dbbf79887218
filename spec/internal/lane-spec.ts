import { describe, expect, it } from "@jest/globals";
import {
  defer,
  EMPTY,
  ignoreElements,
  map,
  merge,
  of,
  range,
  Subject,
  throwError,
  timer,
  type Observable,
} from "rxjs";
import { laneOf } from "../support/gates";
import type { AgentEvent } from "../../src/types/event";
import { label } from "../support/label";
import { virtually } from "../support/virtually";

const update = (id: string): AgentEvent => ({
  type: "tool_execution_update",
  toolCallId: id,
  toolName: "echo",
  args: {},
  partialResult: undefined,
});
const events = { a: update("a"), b: update("b"), c: update("c"), d: update("d") };
const wait = (ms: number): Observable<never> => timer(ms).pipe(ignoreElements());
const slow = () => wait(3);

describe("lane", () => {
  it("passes an event in the same breath when nobody is waited for", () => {
    const seen: string[] = [];
    const gate = laneOf((event) => void seen.push(`told ${label(event)}`));
    of(events.a, events.b)
      .pipe(gate)
      .subscribe({ next: (event) => seen.push(`passed ${label(event)}`), complete: () => seen.push("end") });
    expect(seen.map((line) => line.replace("tool_execution_update ", ""))).toEqual([
      "told a",
      "passed a",
      "told b",
      "passed b",
      "end",
    ]);
  });

  it("completes with an empty source", () => {
    virtually(({ expectObservable }) => expectObservable(EMPTY.pipe(laneOf(slow))).toBe("|"));
  });

  it("passes an event when its delivery has completed, and completes after the last", () => {
    virtually(({ cold, expectObservable }) => {
      const source$ = cold("ab|       ", events);
      const expected = "    ---a--(b|)";
      expectObservable(source$.pipe(laneOf(slow))).toBe(expected, events);
    });
  });

  it("keeps the order of all streams that share it", () => {
    virtually(({ cold, expectObservable }) => {
      const gate = laneOf(slow);
      const one$ = cold("a-c|", events).pipe(gate);
      const two$ = cold("-b-d|", events).pipe(gate);
      expectObservable(merge(one$, two$)).toBe("---a--b--c--(d|)", events);
    });
  });

  it("holds an error of the source back until its events have passed", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("a#", events).pipe(laneOf(slow))).toBe("---(a#)", events);
      expectObservable(cold("--#", events).pipe(laneOf(slow))).toBe("--#");
    });
  });

  it("passes an event whose delivery fails, then fails the stream it came from alone", () => {
    virtually(({ cold, expectObservable }) => {
      const gate = laneOf((event) => (event === events.a ? throwError(() => "error") : undefined));
      expectObservable(cold("a--|", events).pipe(gate)).toBe("(a#)", events);
      expectObservable(cold("-b-|", events).pipe(gate)).toBe("-b-|", events);
    });
  });

  it("goes on in the lane after a delivery that fails in its time", () => {
    virtually(({ cold, expectObservable }) => {
      const gate = laneOf((event) => (event === events.a ? cold<never>("--#") : wait(1)));
      expectObservable(cold("a----|", events).pipe(gate)).toBe("--(a#)", events);
      expectObservable(cold("-b---|", events).pipe(gate)).toBe("---b-|", events);
    });
  });

  it("takes an event that a delivery brings in after the one it is at", () => {
    const seen: string[] = [];
    const gate = laneOf((event) => {
      if (event === events.a)
        of(events.b)
          .pipe(gate)
          .subscribe((inner) => seen.push(label(inner)));
      return undefined;
    });
    of(events.a)
      .pipe(gate)
      .subscribe((event) => seen.push(label(event)));
    expect(seen).toEqual([label(events.a), label(events.b)]);
  });

  it("is busy while somebody is waited for, and says when that is over", () => {
    virtually(({ cold, expectObservable }) => {
      const gate = laneOf(slow);
      const free$ = new Subject<string>();
      const ask = (name: string) => gate.busy!(() => free$.next(name));
      expect(ask("early")).toBe(false);
      expectObservable(free$).toBe("---(fg)", { f: "first", g: "second" });
      expectObservable(of(events.a).pipe(gate)).toBe("---(a|)", events);
      expectObservable(defer(() => of(ask("first"), ask("second")))).toBe("(tt|)", { t: true });
      expectObservable(cold("----x").pipe(map(() => ask("late")))).toBe("----f", { f: false });
    });
  });

  it("stays flat over 100,000 events behind one slow delivery", () => {
    virtually(({ expectObservable, flush }) => {
      let passed = 0;
      const gate = laneOf(() => (passed === 0 ? wait(5) : undefined));
      range(100_000)
        .pipe(
          map(() => events.a),
          gate,
        )
        .subscribe(() => passed++);
      expectObservable(timer(4).pipe(map(() => passed))).toBe("----(n|)", { n: 0 });
      flush();
      expect(passed).toBe(100_000);
    });
  });
});
