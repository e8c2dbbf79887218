import { describe, expect, it } from "@jest/globals";
import { NEVER, of, throwError, timer, map, switchMap, type Observable } from "rxjs";
import type { AgentEvent, ReactiveAgentOptions } from "pi-agent-rx";
import { answer, inShort, lines, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { endOf, setUp } from "./support/setUp";
import { virtually } from "./support/virtually";

const aborted = [
  "agent_start",
  "turn_start",
  "message_start user",
  "message_end user hello",
  "message_start assistant",
  "message_end assistant aborted",
  "turn_end",
  "agent_end aborted",
];

type Hook = (input: never) => Observable<unknown>;
const hooks: [string, (hook: Hook) => Partial<ReactiveAgentOptions>][] = [
  ["prepareRequest", (prepareRequest) => ({ prepareRequest: prepareRequest as never })],
  ["transformContext", (transformContext) => ({ transformContext: transformContext as never })],
  ["operators.context", (hook) => ({ operators: { context: switchMap(hook as never) } })],
  ["convertToLlm", (convertToLlm) => ({ convertToLlm: convertToLlm as never })],
  ["getApiKey", (getApiKey) => ({ getApiKey: getApiKey as never })],
];

describe("abort before a request", () => {
  it(
    "in the tick of prompt() makes none: the prompt is committed, then an aborted message",
    virtually(({ flush, now }) => {
      const asked: string[] = [];
      const note = (name: string) => () => void asked.push(name);
      const { agent, events, requests } = setUp({
        prepareRequest: note("prepareRequest"),
        transformContext: (messages) => (asked.push("transformContext"), messages),
        getApiKey: note("getApiKey"),
      });
      agent.prompt$("hello").subscribe();
      agent.abort("changed my mind");
      flush();
      expect(lines(events)).toEqual(aborted);
      expect([asked, requests, now()]).toEqual([[], [], 0]);
      expect(endOf(events).reason).toBe("changed my mind");
    }),
  );

  it.each(["agent_start", "turn_start", "message_start", "message_end"])(
    "in a listener of %s makes none",
    (type) =>
      virtually(({ flush, now }) => {
        const { agent, events, requests } = setUp();
        let heard = 0;
        agent.subscribe((event) => {
          if (event.type === type && heard++ === 0) agent.abort();
        });
        agent.prompt$("hello").subscribe();
        flush();
        expect(lines(events)).toEqual(aborted);
        expect([requests, now()]).toEqual([[], 0]);
      })(),
  );

  it.each(hooks)("waits the grace for %s, then goes on without it", (_name, withHook) =>
    virtually(({ at, flush, now }) => {
      const { agent, events, requests } = setUp({ abortGraceMs: 50, ...withHook(() => NEVER) });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      at(59, () => expect(lines(events)).toHaveLength(4));
      flush();
      expect(lines(events)).toEqual(aborted);
      expect([requests, now()]).toEqual([[], 60]);
      expect(faultsOf(events)).toEqual([]);
      expect.assertions(4);
    })(),
  );

  it.each(hooks)("goes on at once when %s ends within the grace", (_name, withHook) =>
    virtually(({ at, flush, now }) => {
      const slow = (input: unknown) => timer(30).pipe(map(() => input as never));
      const { agent, events, requests } = setUp({ abortGraceMs: 50, ...withHook(slow) });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events)).toEqual(aborted);
      expect([requests, now()]).toEqual([[], 30]);
    })(),
  );

  it.each(hooks)("is still an abort, reason and all, when %s throws within the grace", (_name, withHook) =>
    virtually(({ at, flush }) => {
      const throws = () => timer(30).pipe(switchMap(() => throwError(() => new Error("was aborted"))));
      const { agent, events, requests } = setUp({ abortGraceMs: 50, ...withHook(throws) });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort("enough"));
      flush();
      expect(lines(events)).toEqual(aborted);
      expect(requests).toEqual([]);
      expect(endOf(events)).toMatchObject({ outcome: "aborted", reason: "enough" });
      expect(faultsOf(events)).toEqual([]);
    })(),
  );

  it.each(hooks)("by %s itself makes none", (_name, withHook) =>
    virtually(({ flush }) => {
      const itself: Hook = (input) => {
        agent.abort();
        return of(input);
      };
      const { agent, events, requests } = setUp(withHook(itself));
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events)).toEqual(aborted);
      expect(requests).toEqual([]);
    })(),
  );

  it.each(hooks)("calls nothing after %s that ended once it was aborted", (name, withHook) =>
    virtually(({ at, flush }) => {
      const asked: string[] = [];
      const watch = Object.fromEntries(
        ["transformContext", "convertToLlm", "getApiKey"].map((hook) => [
          hook,
          (input: unknown) => (asked.push(hook), hook === "getApiKey" ? undefined : input),
        ]),
      );
      const slow = (input: unknown) => timer(30).pipe(map(() => input as never));
      const { agent } = setUp({ ...watch, ...withHook(slow) });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      const before = ["prepareRequest", "transformContext", "operators.context", "convertToLlm", "getApiKey"];
      expect(asked).toEqual(
        ["transformContext", "convertToLlm", "getApiKey"].filter(
          (hook) => before.indexOf(hook) < before.indexOf(name),
        ),
      );
    })(),
  );

  it(
    "commits every message of the run's own prompt",
    virtually(({ flush }) => {
      const { agent, events, requests } = setUp();
      agent.subscribe((event) => {
        if (event.type === "message_end" && inShort(event.message) === "user one") agent.abort();
      });
      agent.prompt$([user("one"), user("two"), user("three")]).subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual([
        "user one",
        "user two",
        "user three",
        "assistant aborted",
      ]);
      expect(requests).toEqual([]);
      expect(endOf(events).messages.map(inShort)).toEqual(transcript(agent.state.messages));
    }),
  );

  it.each(["steer", "followUp"] as const)("commits what continue() took by %s", (queue) =>
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        initialState: { messages: [user("hello"), answer("hi")] },
        steeringMode: "all",
        followUpMode: "all",
      });
      agent[queue](user("one"));
      agent[queue](user("two"));
      agent.continue$().subscribe();
      agent.abort();
      flush();
      expect(transcript(agent.state.messages).slice(2)).toEqual([
        "user one",
        "user two",
        "assistant aborted",
      ]);
      expect(agent.hasQueuedMessages()).toBe(false);
      expect(requests).toEqual([]);
    })(),
  );

  it(
    "ends continue() from a user's message with an aborted message",
    virtually(({ flush }) => {
      const { agent, events } = setUp({ initialState: { messages: [user("hello")] } });
      agent.continue$().subscribe();
      agent.abort();
      flush();
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
      expect(lines(events)).toEqual(aborted.filter((line) => !line.includes("user")));
    }),
  );

  it(
    "leaves the agent usable",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      agent.prompt$("hello").subscribe();
      agent.abort();
      flush();
      events.length = 0;
      agent.prompt$("again").subscribe();
      flush();
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );

  it(
    "while idle does nothing to the next run",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      agent.abort("early");
      agent.prompt$("hello").subscribe();
      flush();
      agent.abort("late");
      agent.prompt$("again").subscribe();
      flush();
      const ends = events.filter((event: AgentEvent) => event.type === "agent_end");
      expect(ends.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
      expect(ends.some((end) => "reason" in end)).toBe(false);
    }),
  );
});
