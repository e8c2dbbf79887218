import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { toolCalls, type ToolCallProgress } from "pi-agent-rx/operators";
import { concat, of, timer, map } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const one = call("1", "read", { path: "a" });
const two = call("2", "read", { path: "b" });
const base = (index: number, id: string, args: unknown): ToolCallProgress => ({
  index,
  toolCallId: id,
  toolName: "read",
  args,
  state: "running",
});

describe("toolCalls", () => {
  it("gives each call's state at its start, its updates and its end", () =>
    virtually(({ cold, expectObservable }) => {
      const first = base(0, "1", one.arguments);
      const second = base(1, "2", two.arguments);
      const events$ = cold("r-abuyx|", {
        r: event.runStart,
        a: event.toolStart(one),
        b: event.toolStart(two),
        u: event.toolUpdate(one, "half"),
        y: event.toolEnd(two, "no", true),
        x: event.toolEnd(one, "all"),
      });
      const half = { ...first, progress: output("half") };
      expectObservable(events$.pipe(toolCalls())).toBe("--abuyx|", {
        a: first,
        b: second,
        u: half,
        y: { ...second, state: "failed", result: output("no"), durationMs: 5 },
        x: { ...half, state: "done", result: output("all"), durationMs: 5 },
      });
    }));

  it("tells two calls with one id apart", () => {
    const twin = call("1", "read", { path: "twin" });
    const seen: [number, string][] = [];
    of(
      event.toolStart(one),
      event.toolStart(twin),
      event.toolUpdate(twin, "half"),
      event.toolEnd(one),
      event.toolEnd(twin),
      event.toolStart(one),
    )
      .pipe(toolCalls())
      .subscribe(({ index, state }) => seen.push([index, state]));
    expect(seen).toEqual([
      [0, "running"],
      [1, "running"],
      [1, "running"],
      [0, "done"],
      [1, "done"],
      [2, "running"],
    ]);
  });

  it("shows a call that had started before, from its next event on", () =>
    virtually(({ cold, expectObservable }) => {
      const events$ = cold("u", { u: event.toolUpdate(one, "half") });
      expectObservable(events$.pipe(toolCalls())).toBe("u", {
        u: { ...base(0, "1", one.arguments), progress: output("half") },
      });
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(toolCalls())).toBe("-#");
      const left$ = cold<never>("---|");
      expectObservable(left$.pipe(toolCalls()), "^-!").toBe("--");
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("works on an agent, whose tool streams", () => {
    const seen: unknown[] = [];
    virtually(() => {
      const echo = tool("echo", () => concat(of(output("half")), timer(3).pipe(map(() => output("all")))));
      const agent = new Agent({
        initialState: { model, tools: [echo] },
        streamFn: answers(assistant([call("1")]), assistant("bye")),
      });
      agent.events$
        .pipe(toolCalls())
        .subscribe(({ state, progress, result }) =>
          seen.push([state, progress?.content[0], result?.content[0]]),
        );
      agent.prompt$("x").subscribe();
    });
    const [half, all] = [output("half").content[0], output("all").content[0]];
    expect(seen).toEqual([
      ["running", undefined, undefined],
      ["running", half, undefined],
      ["running", all, undefined],
      ["done", all, all],
    ]);
  });
});
