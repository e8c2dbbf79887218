import { describe, expect, it } from "@jest/globals";
import { map, NEVER, timer } from "rxjs";
import type { AgentMessage } from "pi-agent-rx";
import { calls, inShort, lines, transcript, user } from "./support/messages";
import { setUp, type SetUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

type Harness = ReturnType<typeof setUp>;
const names = (messages: readonly AgentMessage[]) => messages.map(inShort);

/** Two turns, the second waits for `prepareNextTurn`, which takes from 0 to 30. */
const preparing = (options: SetUp = {}) =>
  setUp({
    responses: [calls("a")],
    tools: [tool()],
    prepareNextTurn: () => timer(30).pipe(map(() => undefined)),
    steeringMode: "all",
    followUpMode: "all",
    ...options,
  });

function abortOn(agent: Harness["agent"], line: string, also = () => {}): void {
  agent.subscribe((event) => {
    if (!lines([event]).includes(line)) return;
    also();
    agent.abort();
  });
}

describe("messages in the queues when a run is aborted", () => {
  it(
    "stay queued",
    virtually(({ at, flush }) => {
      const { agent } = setUp({ responses: [NEVER], abortGraceMs: 0 });
      agent.prompt$("hello").subscribe();
      at(5, () => {
        agent.steer(user("steered"));
        agent.followUp(user("followed"));
      });
      at(10, () => agent.abort());
      flush();
      expect(names(agent.queued.steering)).toEqual(["user steered"]);
      expect(names(agent.queued.followUp)).toEqual(["user followed"]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
    }),
  );

  it(
    "are not taken in the tick of prompt()",
    virtually(({ flush }) => {
      const { agent } = setUp();
      const lengths: number[] = [];
      agent.steer(user("steered"));
      agent.state$.subscribe(({ queued }) => lengths.push(queued.steering.length));
      agent.prompt$("hello").subscribe();
      agent.abort();
      flush();
      expect(new Set(lengths)).toEqual(new Set([1]));
      expect(names(agent.queued.steering)).toEqual(["user steered"]);
    }),
  );

  it(
    "start the next run by continue(), in order",
    virtually(({ flush }) => {
      const { agent } = setUp({ steeringMode: "all" });
      agent.steer(user("one"));
      agent.steer(user("two"));
      agent.prompt$("hello").subscribe();
      agent.abort();
      flush();
      agent.continue$().subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(2)).toEqual(["user one", "user two", "assistant stop"]);
    }),
  );
});

describe("messages taken from a queue when a run is aborted", () => {
  it(
    "go back in order when they wait for prepareNextTurn, before those that came later",
    virtually(({ at, flush }) => {
      const { agent } = preparing();
      agent.prompt$("hello").subscribe();
      agent.subscribe(({ type }) => {
        if (type !== "turn_end") return;
        agent.steer(user("one"));
        agent.steer(user("two"));
      });
      at(5, () => expect(names(agent.queued.steering)).toEqual([]));
      at(6, () => agent.steer(user("three")));
      at(10, () => agent.abort());
      flush();
      expect(names(agent.queued.steering)).toEqual(["user one", "user two", "user three"]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant toolUse", "result a: done"]);
      expect.assertions(3);
    }),
  );

  it(
    "go back to the follow-ups when they were follow-ups",
    virtually(({ at, flush }) => {
      const { agent } = preparing({ responses: [] });
      agent.followUp(user("later"));
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(names(agent.queued.followUp)).toEqual(["user later"]);
      expect(agent.queued.steering).toEqual([]);
    }),
  );

  it(
    "stay away when their queue was cleared meanwhile",
    virtually(({ at, flush }) => {
      const { agent } = preparing();
      agent.prompt$("hello").subscribe();
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.steer(user("one"));
      });
      at(5, () => agent.clearSteeringQueue());
      at(6, () => agent.steer(user("two")));
      at(10, () => agent.abort());
      flush();
      expect(names(agent.queued.steering)).toEqual(["user two"]);
    }),
  );

  it(
    "go back when only the other queue was cleared",
    virtually(({ at, flush }) => {
      const { agent } = preparing();
      agent.prompt$("hello").subscribe();
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.steer(user("one"));
      });
      at(5, () => agent.clearFollowUpQueue());
      at(10, () => agent.abort());
      flush();
      expect(names(agent.queued.steering)).toEqual(["user one"]);
    }),
  );

  it.each(["message_start user", "message_end user one"])(
    "are in the transcript as far as they were committed, the rest goes back (abort on %s)",
    (line) =>
      virtually(({ flush }) => {
        const { agent, requests } = setUp({
          initialState: { messages: [user("hello")] },
          steeringMode: "all",
        });
        agent.steer(user("one"));
        agent.steer(user("two"));
        agent.steer(user("three"));
        abortOn(agent, line, () => agent.steer(user("four")));
        agent.continue$().subscribe();
        flush();
        expect(transcript(agent.state.messages)).toEqual(["user hello", "user one", "assistant aborted"]);
        expect(names(agent.queued.steering).slice(0, 2)).toEqual(["user two", "user three"]);
        expect(names(agent.queued.steering).at(-1)).toBe("user four");
        expect(requests).toEqual([]);
      })(),
  );

  it(
    "of the second turn go back too, when they were being committed",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ responses: [calls("a")], tools: [tool()], steeringMode: "all" });
      agent.subscribe(({ type }) => {
        if (type !== "tool_execution_end") return;
        agent.steer(user("one"));
        agent.steer(user("two"));
      });
      abortOn(agent, "message_end user one");
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(-2)).toEqual(["user one", "assistant aborted"]);
      expect(names(agent.queued.steering)).toEqual(["user two"]);
      expect(requests).toHaveLength(1);
    }),
  );

  it(
    "are in exactly one place at every moment",
    virtually(({ at, flush }) => {
      const { agent } = preparing();
      const one = user("one");
      const places = () =>
        [agent.queued.steering, agent.queued.followUp, agent.state.messages].flatMap((place) =>
          place.filter((message) => message === one),
        ).length;
      agent.prompt$("hello").subscribe();
      agent.steer(one);
      at(10, () => agent.abort());
      flush();
      expect(places()).toBe(1);
    }),
  );

  it(
    "go back before agent_end is told",
    virtually(({ at, flush }) => {
      const { agent } = preparing();
      const seen: string[][] = [];
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.steer(user("one"));
        if (type === "agent_end") seen.push(names(agent.queued.steering));
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual([["user one"]]);
    }),
  );

  it(
    "go back when the run fails instead",
    virtually(({ flush }) => {
      const { agent } = preparing({
        prepareNextTurn: () => {
          throw new Error("boom");
        },
      });
      agent.subscribe(({ type }) => {
        if (type === "turn_end" && agent.state.errorMessage === undefined) agent.steer(user("one"));
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.errorMessage).toBe("boom");
      expect(names(agent.queued.steering)).toEqual(["user one"]);
    }),
  );
});
