import { runInThisContext } from "node:vm";

type Handler = NodeJS.UnhandledRejectionListener & NodeJS.UncaughtExceptionListener;
const KINDS = ["unhandledRejection", "uncaughtException"] as const;

/** What the process heard of unhandled rejections and uncaught exceptions while `body` ran, and a little after. */
export async function strayErrors(body: () => Promise<void>): Promise<unknown[]> {
  // Inside jest `process` is a copy that hears of neither.
  const outer = runInThisContext("process") as NodeJS.Process;
  const stray: unknown[] = [];
  const own = (error: unknown) => void stray.push(error);
  const others = KINDS.map((kind) => ({
    kind,
    handlers: outer.listeners(kind as "exit") as unknown as Handler[],
  }));
  for (const kind of KINDS) outer.removeAllListeners(kind).on(kind as "uncaughtException", own);
  try {
    await body();
    // Two rounds of the event loop: rejections are reported after the microtasks of the first.
    for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    for (const { kind, handlers } of others) {
      outer.removeAllListeners(kind);
      for (const handler of handlers) outer.on(kind as "uncaughtException", handler);
    }
  }
  return stray;
}
