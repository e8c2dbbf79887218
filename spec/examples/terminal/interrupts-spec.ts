import { describe, expect, it } from "@jest/globals";
import type { Agent } from "pi-agent-rx";
import { TestScheduler } from "rxjs/testing";
import { interrupts, type Interrupt } from "../../../examples/terminal/interrupts";

/** An agent whose run does not end by its abort alone. */
const agent = (isStreaming: boolean) => {
  const run = new AbortController();
  const reasons: unknown[] = [];
  return {
    state: { isStreaming } as Agent["state"],
    signal: run.signal,
    abort: (reason?: unknown) => {
      reasons.push(reason);
      run.abort(reason);
    },
    reasons,
  };
};

const meanings: Record<string, Interrupt> = { a: "abort", k: "kill", l: "leave" };

const pressed = (isStreaming: boolean, presses: string, expected: string) => {
  const running = agent(isStreaming);
  new TestScheduler((actual, wanted) => expect(actual).toEqual(wanted)).run(({ hot, expectObservable }) => {
    expectObservable(hot(presses).pipe(interrupts(running))).toBe(expected, meanings);
  });
  return running.reasons;
};

describe("interrupts", () => {
  it("aborts a run with the first press and leaves it with the second", () => {
    expect(pressed(true, "x 999ms x", "a 999ms k")).toEqual(["Ctrl-C"]);
  });

  it("leaves when nothing runs", () => {
    expect(pressed(false, "x", "l")).toEqual([]);
  });

  it("takes what comes at once, through npm and tsx, for one press", () => {
    expect(pressed(true, "xxx 50ms x", "a")).toEqual(["Ctrl-C"]);
  });
});
