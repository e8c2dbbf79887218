import { afterEach, beforeEach, expect } from "@jest/globals";
import { runInThisContext } from "node:vm";

type Kind = "unhandledRejection";
type Listener = NodeJS.UnhandledRejectionListener;

const kinds = ["unhandledRejection", "uncaughtException"] as Kind[];
// What tests know as `process` is a copy that hears of neither.
const outer = runInThisContext("process") as NodeJS.Process;

/** One round of the event loop. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Fails each test of the suite of which an unhandled rejection or an uncaught exception is left. */
export function nothingStray(): void {
  const stray: unknown[] = [];
  const own: Listener = (error) => void stray.push(error);
  let others: Listener[][] = [];
  beforeEach(() => {
    stray.length = 0;
    others = kinds.map((kind) => outer.listeners(kind));
    for (const kind of kinds) outer.removeAllListeners(kind).on(kind, own);
  });
  afterEach(async () => {
    await settled();
    await settled();
    kinds.forEach((kind, index) => {
      outer.removeAllListeners(kind);
      for (const listener of others[index]!) outer.on(kind, listener);
    });
    expect(stray).toEqual([]);
  });
}
