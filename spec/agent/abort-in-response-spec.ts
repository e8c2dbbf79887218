import type { AssistantMessage } from "@earendil-works/pi-ai";
import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { concat, map, merge, NEVER, of, timer, type Observable } from "rxjs";
import {
  answer,
  calls,
  delta,
  failure,
  lines,
  started,
  terminal,
  text,
  textOf,
  transcript,
  user,
} from "./support/messages";
import { only, setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

const afterwards = <T>(ms: number, event: T): Observable<T> => timer(ms).pipe(map(() => event));
const stalled$ = concat(of(started(), delta("half")), NEVER);

afterEach(() => void jest.useRealTimers());

describe("abort in a response", () => {
  it(
    "before it started ends as an empty aborted message when the grace is over",
    virtually(({ at, flush, now }) => {
      const { agent, events } = setUp({ responses: [NEVER], abortGraceMs: 50 });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events).slice(4)).toEqual([
        "message_start assistant",
        "message_end assistant aborted",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(textOf(agent.state.messages.at(-1))).toBe("");
      expect(now()).toBe(60);
    }),
  );

  it(
    "ends it as aborted, with what had streamed until the grace was over",
    virtually(({ at, flush, now }) => {
      const slow$ = concat(
        stalled$.pipe((half$) => merge(half$, afterwards(40, delta(" more", "half more")))),
      );
      const { agent, events } = setUp({ responses: [slow$], abortGraceMs: 50 });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events).slice(4)).toEqual([
        "message_start assistant",
        "message_update",
        "message_update",
        "message_end assistant aborted",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(textOf(agent.state.messages.at(-1))).toBe("half more");
      expect(now()).toBe(60);
    }),
  );

  it(
    "keeps a deep copy of what had streamed",
    virtually(({ at, flush }) => {
      const partial: AssistantMessage = answer([text("half")]);
      const live$ = concat(of({ type: "start" as const, partial }), NEVER);
      const { agent } = setUp({ responses: [live$], abortGraceMs: 0 });
      agent.prompt$("hello").subscribe();
      at(1, () => agent.abort());
      flush();
      (partial.content[0] as { text: string }).text = "overwritten";
      partial.content.push(text("added"));
      expect(textOf(agent.state.messages.at(-1))).toBe("half");
    }),
  );

  it(
    "takes 2,000 ms of grace by default",
    virtually(({ at, flush, now }) => {
      const { agent } = setUp({ responses: [stalled$] });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(now()).toBe(2010);
    }),
  );

  it(
    "takes none with abortGraceMs 0",
    virtually(({ at, flush, now }) => {
      const { agent, events } = setUp({ responses: [stalled$], abortGraceMs: 0 });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events).slice(-3)).toEqual([
        "message_end assistant aborted",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(now()).toBe(10);
    }),
  );

  it(
    "lets the provider's own aborted event stand when it comes in time",
    virtually(({ at, flush, now }) => {
      const own = failure("connection closed", "aborted");
      const slow$ = concat(of(started()), afterwards(30, terminal(own)));
      const { agent } = setUp({ responses: [slow$], abortGraceMs: 50 });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(agent.state.messages.at(-1)).toBe(own);
      expect(agent.state.errorMessage).toBe("connection closed");
      expect(now()).toBe(30);
    }),
  );

  it(
    "lets a done stand that comes in time; the run is aborted",
    virtually(({ at, flush }) => {
      const own = answer("whole");
      const { agent, events, requests } = setUp({
        responses: [concat(of(started()), afterwards(30, terminal(own)))],
      });
      agent.followUp(user("later"));
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(agent.state.messages.at(-1)).toBe(own);
      expect(lines(events).slice(-3)).toEqual([
        "message_end assistant stop",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(requests).toHaveLength(1);
      expect(transcript([...agent.queued.followUp])).toEqual(["user later"]);
    }),
  );

  it(
    "gives the calls of a done in time aborted results, without running them or their hooks",
    virtually(({ at, flush }) => {
      const ran: string[] = [];
      const note = (name: string) => () => void ran.push(name);
      const { agent, events, requests } = setUp({
        responses: [concat(of(started()), afterwards(30, terminal(calls("a", "b"))))],
        tools: [tool(note("execute"))],
        beforeToolCall: note("beforeToolCall"),
        afterToolCall: note("afterToolCall"),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(ran).toEqual([]);
      expect(requests).toHaveLength(1);
      expect(transcript(agent.state.messages).slice(1)).toEqual([
        "assistant toolUse",
        "result a error: Operation aborted",
        "result b error: Operation aborted",
      ]);
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(lines(events).filter((line) => line.startsWith("tool_execution"))).toHaveLength(4);
    }),
  );

  it.each(["aborted", "error"] as const)("never executes the calls of a message that ended as %s", (reason) =>
    virtually(({ flush }) => {
      const ran: string[] = [];
      const { agent, events } = setUp({
        responses: [{ ...calls("a"), stopReason: reason, errorMessage: "cut off" }],
        tools: [tool(() => ran.push("execute"))],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toEqual([]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", `assistant ${reason}`]);
      expect(only(events, "turn_end")[0]!.toolResults).toEqual([]);
    })(),
  );
});
