import { expect } from "@jest/globals";
import { asyncScheduler, timer } from "rxjs";
import { TestScheduler } from "rxjs/testing";

export interface VirtualTime {
  /** Calls `act` at this frame. */
  at: (ms: number, act: () => void) => void;
  /** Lets all time pass. */
  flush: () => void;
  now: () => number;
}

/** Runs a spec in the virtual time of RxJS. */
export function virtually(body: (time: VirtualTime) => void): () => void {
  return () =>
    new TestScheduler((actual, expected) => expect(actual).toEqual(expected)).run(({ flush }) => {
      body({
        at: (ms, act) => void timer(ms).subscribe(act),
        flush,
        now: () => asyncScheduler.now(),
      });
    });
}
