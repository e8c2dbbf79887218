import type { FakePart } from "./FakeResponse";

/**
 * Waits before the next part of a scripted response; before the first one, the response has not begun.
 *
 * @param ms - Milliseconds, virtual in a virtual-time test.
 */
export function pause(ms: number): FakePart {
  return { part: "pause", ms };
}
