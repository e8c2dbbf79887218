import { jest } from "@jest/globals";

/**
 * Virtual time with lanes. Every independent actor of a script waits in a lane of its own, and a wait ends on the next
 * free millisecond of that lane (`time % LANES === lane`), so two actors never act in the same millisecond and no order
 * is left to the number of microtasks an implementation spends.
 */
const LANES = 32;
/** A multiple of LANES. */
const EPOCH = 1_700_000_000_000;

export const lanes = {
  /** Listeners and hooks, which take turns. */
  main: 0,
  call: (index: number) => 1 + (index % 8),
  provider: 9,
  steps: 10,
  action: (index: number) => 11 + (index % 20),
};

/** Puts virtual time in the place of the real one until the suite ends. `setImmediate` stays real: it drains. */
export function useVirtualTime(): void {
  jest.useFakeTimers({
    now: EPOCH,
    doNotFake: ["setImmediate", "clearImmediate", "queueMicrotask", "nextTick"],
  });
}

export function rewind(): void {
  jest.clearAllTimers();
  jest.setSystemTime(EPOCH);
}

export function elapsed(): number {
  return Date.now() - EPOCH;
}

export function wait(ms: number, lane: number): Promise<void> {
  const now = elapsed();
  const target = Math.ceil((now + Math.max(ms, 1) - lane) / LANES) * LANES + lane;
  return new Promise((resolve) => setTimeout(resolve, target - now));
}

/** Lets every promise that can settle without time do so. */
export function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Runs timer by timer, draining after each, until `limit` timers have fired or none is left. */
export async function runOut(limit: number, onError: (error: unknown) => void): Promise<boolean> {
  await drain();
  for (let fired = 0; jest.getTimerCount() > 0; fired++) {
    if (fired >= limit) return false;
    try {
      jest.advanceTimersToNextTimer();
    } catch (error) {
      onError(error);
    }
    await drain();
  }
  return true;
}
