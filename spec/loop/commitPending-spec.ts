import { describe, expect, it } from "@jest/globals";
import { timer } from "rxjs";
import { steps } from "../../src/internal/steps";
import { commitPending as sequence } from "../../src/loop/commitPending";
import type { LoopRun } from "../../src/loop/loopRun";
import { runControl, type AgentEvent, type AgentMessage, type Gate } from "pi-agent-rx";
import { context, user } from "../support/fixtures";
import { failingGate, openGate, slowGate } from "../support/gates";
import { runChars } from "../support/loop";
import { virtually } from "../support/virtually";

const messages = [user("one"), user("two")];

/** A run that took both messages from the steering queue. */
function runWith(gate: Gate = openGate) {
  const taken = { queue: "steering" as const, messages };
  const run = { context: context(), newMessages: [], gate, control: runControl(5), taken };
  return run as unknown as LoopRun;
}

const commitPending = (run: LoopRun, items: AgentMessage[], always: boolean) =>
  steps<AgentEvent>((emit) => sequence(run, items, always, emit));

describe("commitPending", () => {
  it("adds each message to the transcript when its end has passed", () => {
    virtually(({ expectObservable, flush }) => {
      const run = runWith(slowGate(2));
      const lengths: number[] = [];
      for (const at of [1, 3, 5, 7, 9]) timer(at).subscribe(() => lengths.push(run.context.messages.length));
      expectObservable(commitPending(run, messages, false).pipe(runChars)).toBe("--u-U-u-(U|)");
      flush();
      expect(lengths).toEqual([0, 0, 1, 1, 2]);
      expect(run.newMessages).toEqual(messages);
    });
  });

  it("takes each delivered message off what was taken, prepared ones apart", () => {
    const run = runWith();
    const left: unknown[] = [];
    commitPending(run, [user("prepared"), ...messages], false)
      .pipe(runChars)
      .subscribe((char) => char === "u" && left.push(run.taken!.messages));
    expect(left).toEqual([messages, messages, [messages[1]]]);
    expect(run.taken!.messages).toEqual([]);
    expect(run.context.messages).toHaveLength(3);
  });

  it("counts two identical messages as two", () => {
    const run = runWith();
    const twice = [messages[0]!, messages[0]!];
    run.taken = { queue: "steering", messages: twice };
    const left: unknown[] = [];
    commitPending(run, twice, false)
      .pipe(runChars)
      .subscribe((char) => char === "u" && left.push(run.taken!.messages));
    expect(left).toEqual([twice, [messages[0]]]);
  });

  it("stops between two messages after an abort, but commits prompts always", () => {
    virtually(({ expectObservable, flush }) => {
      const [queued, prompted] = [runWith(slowGate(2)), runWith(slowGate(2))];
      timer(3).subscribe(() => [queued, prompted].forEach(({ control }) => control.abort()));
      expectObservable(commitPending(queued, messages, false).pipe(runChars)).toBe("--u-(U|)");
      expectObservable(commitPending(prompted, messages, true).pipe(runChars)).toBe("--u-U-u-(U|)");
      flush();
      expect(queued.taken!.messages).toEqual([messages[1]]);
    });
  });

  it("counts a message as committed at whose end the gate fails", () => {
    virtually(({ expectObservable, flush }) => {
      const run = runWith(failingGate("message_end", "error"));
      expectObservable(commitPending(run, messages, false).pipe(runChars)).toBe("(uU#)");
      flush();
      expect(run.context.messages).toEqual([messages[0]]);
      expect(run.taken!.messages).toEqual([messages[1]]);
    });
  });

  it("gives nothing for nothing", () => {
    virtually(({ expectObservable }) => {
      expectObservable(commitPending(runWith(), [], false)).toBe("|");
    });
  });
});
