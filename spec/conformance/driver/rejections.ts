import { runInThisContext } from "node:vm";

/** Takes every unhandled rejection of the process while `body` runs; jest's own handlers are put back after it. */
export async function watchRejections(
  onRejection: (error: unknown) => void,
  body: () => Promise<void>,
): Promise<void> {
  // Inside jest `process` is a copy that never hears of rejections.
  const outer = runInThisContext("process") as NodeJS.Process;
  const jestHandlers = outer.listeners("unhandledRejection");
  outer.removeAllListeners("unhandledRejection");
  outer.on("unhandledRejection", onRejection);
  try {
    await body();
  } finally {
    outer.removeAllListeners("unhandledRejection");
    for (const handler of jestHandlers) outer.on("unhandledRejection", handler);
  }
}
