import { describe, expect, it } from "@jest/globals";
import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import { concat, from, map, NEVER, of, range, throwError } from "rxjs";
import { assistantEvents, runControl, type AgentEvent, type Gate } from "pi-agent-rx";
import { assistant, model } from "../support/fixtures";
import { failingGate, laneOf, openGate, slowGate } from "../support/gates";
import { label } from "../support/label";
import { delta, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const words = { s: start(), t: delta("a"), u: delta("ab"), d: terminal(assistant("ab")) };
const told = { S: "message_start assistant", T: "message_update assistant", E: "message_end assistant" };
const stage = (gate: Gate = openGate, control = runControl()) =>
  assistantEvents({ gate, control, model, thinkingLevel: "low" });

/** The events of a synchronous response. */
function eventsOf(...given: AssistantMessageEvent[]): AgentEvent[] {
  const seen: AgentEvent[] = [];
  from(given)
    .pipe(stage())
    .subscribe((event) => seen.push(event));
  return seen;
}
const messageOf = (event: AgentEvent | undefined) =>
  (event as { message: AssistantMessage } | undefined)?.message;

describe("assistantEvents", () => {
  it("tells start, updates and end, and leaves the source at its terminal event", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("s-t-u-d-t|", words);
      const expected = "    S-T-T-(E|)";
      expectObservable(source$.pipe(stage(), map(label))).toBe(expected, told);
      expectSubscriptions(source$.subscriptions).toBe("^-----!");
    });
  });

  it("ends when what waits in a lane has passed, and leaves the source before", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const slow = (end: string) =>
        laneOf((event) => (event.type === "message_update" ? cold<never>(end) : undefined));
      const source$ = cold("s-t-d-t|", words);
      expectObservable(source$.pipe(stage(slow("---|")), map(label))).toBe("S----(TE|)", told);
      expectSubscriptions(source$.subscriptions).toBe("^---!");
      expectObservable(cold("s-t-d", words).pipe(stage(slow("---#")), map(label))).toBe("S----(T#)", told);
    });
  });

  it("ends with the provider's message, the thinking level on it", () => {
    const message = assistant("ab");
    const [first, last] = eventsOf(start(), terminal(message));
    expect(messageOf(last)).toBe(message);
    expect(message.thinkingLevel).toBe("low");
    expect(messageOf(first)).not.toBe(message);
  });

  it("tells the start itself when the provider did not", () => {
    const message = assistant("ab");
    const seen = eventsOf(terminal(message));
    expect(seen.map(label)).toEqual([told.S, told.E]);
    expect(messageOf(seen[0])).toEqual(message);
    expect(messageOf(seen[0])).not.toBe(message);
  });

  it("ends with the provider's error message", () => {
    const failed = assistant("a", { stopReason: "error", errorMessage: "overloaded" });
    expect(messageOf(eventsOf(start(), terminal(failed)).at(-1))).toBe(failed);
  });

  it("ignores updates before the start, and a second start", () => {
    expect(eventsOf(delta("a"), start(), delta("a"), start(), delta("b"), words.d).map(label)).toEqual([
      told.S,
      told.T,
      told.T,
      told.E,
    ]);
  });

  it("goes on from what a second start brings", () => {
    const [, , update] = eventsOf(
      start(assistant("old")),
      delta("a"),
      start(assistant("")),
      delta("n"),
      words.d,
    );
    expect(messageOf(update)).toEqual(assistant("n"));
  });

  it("shows copies whose fields stay as they were", () => {
    const partial = assistant("a");
    const seen = eventsOf(start(partial), { ...delta("a"), partial } as never);
    partial.stopReason = "length";
    for (const event of seen.slice(0, 2)) {
      expect(messageOf(event)).toMatchObject({ stopReason: "stop" });
      expect(messageOf(event)).not.toBe(partial);
    }
    expect(seen[1]).toHaveProperty("assistantMessageEvent.delta", "a");
  });

  it("ends as an error when the source completes without a terminal event", () => {
    const error = { stopReason: "error", errorMessage: expect.stringContaining("without a done or error") };
    const nothing = eventsOf();
    expect(nothing.map(label)).toEqual([told.S, told.E]);
    expect(messageOf(nothing[1])).toMatchObject({ ...error, content: [{ type: "text", text: "" }] });
    const partial = assistant("so far");
    const some = messageOf(eventsOf(start(partial)).at(-1))!;
    expect(some).toMatchObject({
      ...error,
      content: [{ type: "text", text: "so far" }],
      thinkingLevel: "low",
    });
    expect(some.content).not.toBe(partial.content);
  });

  it("passes an error of the source", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(throwError(() => "error").pipe(stage())).toBe("#");
      expectObservable(cold("s-#", words).pipe(stage(), map(label))).toBe("S-#", told);
    });
  });

  it("leaves the source when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("s----d|", words);
      expectObservable(source$.pipe(stage(), map(label)), "^--!").toBe("S---", told);
      expectSubscriptions(source$.subscriptions).toBe("^--!");
    });
  });

  it("tells each event when the gate has passed the last, and completes after them", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const next$ = cold("(n|)");
      const held$ = cold("std|", words).pipe(stage(slowGate(5)), map(label));
      expectObservable(concat(held$, next$)).toBe("-----S----T----(En|)", { ...told, n: "n" });
      expectSubscriptions(next$.subscriptions).toBe("---------------(^!)");
    });
  });

  it("fails with the gate", () => {
    virtually(({ cold, expectObservable }) => {
      const failing = (what: string) =>
        cold("s-t-d|", words).pipe(stage(failingGate(what, "error")), map(label));
      expectObservable(failing("message_update")).toBe("S-(T#)", told);
      expectObservable(failing("message_end")).toBe("S-T-(E#)", told);
      expectObservable(of(words.d).pipe(stage(failingGate("message_start", "error")), map(label))).toBe(
        "(S#)",
        told,
      );
    });
  });

  it("stays flat over 20,000 synchronous updates", () => {
    let count = 0;
    concat(of(words.s), range(20_000).pipe(map(() => words.t)), of(words.d), NEVER)
      .pipe(stage())
      .subscribe(() => count++);
    expect(count).toBe(20_002);
  });
});
