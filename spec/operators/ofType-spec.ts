import { describe, expect, it } from "@jest/globals";
import { ofType } from "pi-agent-rx/operators";
import { map, Subject } from "rxjs";
import type { AgentEvent } from "pi-agent-rx";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const alphabet = { s: event.runStart, t: event.turnStart, e: event.turnEnd(), x: event.runEnd };

describe("ofType", () => {
  it("lets through the types it names", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("stetex|", alphabet);
      expectObservable(events$.pipe(ofType("turn_start", "agent_end"))).toBe("-t-t-x|", alphabet);
      expectSubscriptions(events$.subscriptions).toBe("^-----!");
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const failing$ = cold("s-#", alphabet);
      expectObservable(failing$.pipe(ofType("agent_start"))).toBe("s-#", alphabet);
      const left$ = cold("s---x|", alphabet);
      expectObservable(left$.pipe(ofType("agent_start")), "^-!").toBe("s--", alphabet);
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("knows the type of what it lets through, and harms nobody who also watches", () => {
    const events$ = new Subject<AgentEvent>();
    const seen: string[] = [];
    const errors: unknown[] = [];
    const outcome$ = events$.pipe(
      ofType("agent_end"),
      map(({ outcome }) => {
        throw new Error(String(outcome));
      }),
    );
    outcome$.subscribe({ error: (error: unknown) => errors.push(error) });
    events$.subscribe(({ type }) => seen.push(type));
    events$.next(event.runEnd);
    events$.next(event.runStart);
    expect(errors).toEqual([new Error("completed")]);
    expect(seen).toEqual(["agent_end", "agent_start"]);
  });
});
