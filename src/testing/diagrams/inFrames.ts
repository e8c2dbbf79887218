import { TestScheduler } from "rxjs/testing";

/** Reads marbles so that a column is a frame and a frame a millisecond, as within `TestScheduler.run`. */
export function inFrames<T>(read: () => T): T {
  return new TestScheduler(() => undefined).run(read);
}
