import { describe, expect, it, jest } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { conversation, toStore } from "pi-agent-rx/operators";
import { BehaviorSubject, config, Subject } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";

describe("toStore", () => {
  it("holds the latest value, whether anybody listens or not", () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    expect(store.getSnapshot()).toBe(0);
    source$.next(1);
    expect(store.getSnapshot()).toBe(1);
  });

  it("needs no initial value when the stream has one", () => {
    expect(toStore(new BehaviorSubject("a")).getSnapshot()).toBe("a");
  });

  it("tells listeners the latest value at once and each that follows, until they leave", () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    const seen: number[] = [];
    const leave = store.subscribe((value) => seen.push(value));
    source$.next(1);
    leave();
    source$.next(2);
    expect(seen).toEqual([0, 1]);
    expect(store.getSnapshot()).toBe(2);
  });

  it("keeps two subscriptions of one listener apart", () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    const listener = jest.fn();
    const leave = store.subscribe(listener);
    store.subscribe(listener);
    leave();
    leave();
    listener.mockClear();
    source$.next(1);
    expect(listener.mock.calls).toEqual([[1]]);
  });

  it("throws from its snapshot what the stream failed with, after it has told the listeners", () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    const thrown: unknown[] = [];
    store.subscribe(() => {
      try {
        store.getSnapshot();
      } catch (error) {
        thrown.push(error);
      }
    });
    source$.error("broken");
    expect(thrown).toEqual(["broken"]);
    expect(() => store.getSnapshot()).toThrow("broken");
  });

  it("lets go of the stream when disposed, and keeps the value", () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    source$.next(1);
    store.dispose();
    expect(source$.observed).toBe(false);
    expect(store.getSnapshot()).toBe(1);
  });

  it("keeps a value from nobody when a listener throws", async () => {
    const source$ = new Subject<number>();
    const store = toStore(source$, 0);
    const reported = new Promise((resolve) => (config.onUnhandledError = resolve));
    const seen: number[] = [];
    store.subscribe((value) => {
      if (value === 1) throw new Error("mine");
    });
    store.subscribe((value) => seen.push(value));
    source$.next(1);
    expect(seen).toEqual([0, 1]);
    expect(await reported).toEqual(new Error("mine"));
    config.onUnhandledError = null;
  });

  it("gives the same snapshot until something changes in a conversation", () =>
    virtually(({ flush }) => {
      const agent = new Agent({ initialState: { model }, streamFn: answers(assistant("hi")) });
      const store = toStore(agent.events$.pipe(conversation(agent.state)));
      const before = store.getSnapshot();
      expect(store.getSnapshot()).toBe(before);
      agent.prompt$("x").subscribe();
      flush();
      expect(store.getSnapshot()).not.toBe(before);
      expect(store.getSnapshot().items).toHaveLength(2);
    }));
});
