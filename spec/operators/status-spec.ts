import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { status, type AgentStatus } from "pi-agent-rx/operators";
import { delay, of } from "rxjs";
import { assistant, call, model, output, tool, user } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const one = call("1");
const two = call("2");
const asks = assistant([one, two]);
const partial = assistant("");
const alphabet = {
  r: event.runStart,
  t: event.turnStart,
  u: event.start(user("hi")),
  v: event.end(user("hi")),
  s: event.start(partial),
  h: event.update(partial, "thinking_delta"),
  w: event.update(partial, "text_delta"),
  c: event.update(partial, "toolcall_delta"),
  m: event.end(asks),
  n: event.end(assistant("bye")),
  x: event.end(assistant([one], { stopReason: "aborted" })),
  a: event.toolStart(one),
  b: event.toolEnd(one),
  "1": event.result(one),
  "2": event.result(two),
  e: event.turnEnd(),
  z: event.runEnd,
};
const states: Record<string, AgentStatus> = {
  i: "idle",
  W: "waiting",
  h: "thinking",
  w: "writing",
  t: "tools",
  s: "settling",
};

describe("status", () => {
  it("follows a run", () =>
    virtually(({ cold, expectObservable }) => {
      const events$ = cold("-rtuvshhwcmaab12etswnez|", alphabet);
      expectObservable(events$.pipe(status())).toBe("iW----h-w-t----s-W-ws-i|", states);
    }));

  it("settles after a response that was cut off, though it held calls", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("-rxez", alphabet).pipe(status())).toBe("iWs-i", states);
    }));

  it("begins with what a late subscriber says", () =>
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("--bz", alphabet).pipe(status("writing"))).toBe("w-ti", states);
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(status())).toBe("i#", states);
      const left$ = cold("---r|", alphabet);
      expectObservable(left$.pipe(status()), "^-!").toBe("i--", states);
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("works on an agent", () => {
    const seen: AgentStatus[] = [];
    virtually(() => {
      const agent = new Agent({
        initialState: { model, tools: [tool("echo", () => of(output("done")).pipe(delay(2)))] },
        streamFn: answers(assistant([call("1")]), assistant("bye")),
      });
      agent.events$.pipe(status()).subscribe((value) => seen.push(value));
      agent.prompt$("x").subscribe();
    });
    expect(seen).toEqual(["idle", "waiting", "tools", "settling", "waiting", "settling", "idle"]);
  });
});
