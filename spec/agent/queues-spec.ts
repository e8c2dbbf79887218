import { describe, expect, it } from "@jest/globals";
import { map, of, timer } from "rxjs";
import type { AgentMessage } from "pi-agent-rx";
import { calls, failure, inShort, lines, transcript, user } from "./support/messages";
import { shown } from "./support/provider";
import { setUp, type SetUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const names = (messages: readonly AgentMessage[]) => messages.map(inShort);
const working = (options: SetUp = {}) =>
  setUp({
    responses: [calls("a", "b")],
    tools: [tool((id) => timer(id === "a" ? 5 : 10).pipe(map(() => result(id))))],
    ...options,
  });

describe("steering", () => {
  it(
    "comes after the batch and before the next request",
    virtually(({ at, flush }) => {
      const { agent, events, requests } = working();
      agent.prompt$("hello").subscribe();
      at(2, () => agent.steer(user("stop it")));
      flush();
      expect(requests.map(shown).slice(1)).toEqual([
        ["user hello", "assistant toolUse", "result a: a", "result b: b", "user stop it"],
      ]);
      const told = lines(events);
      expect(told.slice(told.indexOf("turn_end"), told.indexOf("turn_end") + 4)).toEqual([
        "turn_end",
        "turn_start",
        "message_start user",
        "message_end user stop it",
      ]);
    }),
  );

  it(
    "gives the run another turn when it would stop",
    virtually(({ flush }) => {
      const { agent, requests } = setUp();
      agent.subscribe(({ type }) => {
        if (type === "turn_end" && requests.length === 1) agent.steer(user("more"));
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(shown(requests[1])).toEqual(["user hello", "assistant stop", "user more"]);
    }),
  );

  it.each([
    ["one-at-a-time", [["user one"], ["user two"]]],
    ["all", [["user one", "user two"]]],
  ] as const)("is taken %s", (steeringMode, expected) =>
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ steeringMode });
      agent.prompt$("hello").subscribe();
      agent.steer(user("one"));
      agent.steer(user("two"));
      flush();
      const added = requests.map((request, nth) => {
        const before = nth === 0 ? 1 : shown(requests[nth - 1]).length + 1;
        return shown(request).slice(before);
      });
      expect(added).toEqual(expected);
    })(),
  );

  it(
    "that comes while prepareNextTurn is pending counts for that turn",
    virtually(({ at, flush }) => {
      const { agent, requests } = setUp({
        responses: [calls("a")],
        tools: [tool(() => of(result("a")))],
        prepareNextTurn: () => timer(10).pipe(map(() => undefined)),
      });
      agent.prompt$("hello").subscribe();
      at(5, () => agent.steer(user("in time")));
      flush();
      expect(shown(requests[1]).at(-1)).toBe("user in time");
      expect(requests).toHaveLength(2);
    }),
  );

  it(
    "stands after the messages that prepareNextTurn gives",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        prepareNextTurn: () => ({ messages: [user("prepared")] }),
      });
      agent.subscribe(({ type }) => {
        if (type === "tool_execution_end") agent.steer(user("steered"));
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(shown(requests[1]).slice(-2)).toEqual(["user prepared", "user steered"]);
    }),
  );
});

describe("follow-ups", () => {
  it(
    "come only when the run would stop, after all steering",
    virtually(({ at, flush }) => {
      const { agent, requests } = working();
      agent.followUp(user("later"));
      agent.prompt$("hello").subscribe();
      at(2, () => agent.steer(user("now")));
      flush();
      expect(requests.map((request) => shown(request).at(-1))).toEqual([
        "user hello",
        "user now",
        "user later",
      ]);
    }),
  );

  it.each([
    ["one-at-a-time", 3],
    ["all", 2],
  ] as const)("are taken %s", (followUpMode, count) =>
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ followUpMode });
      agent.followUp(user("one"));
      agent.followUp(user("two"));
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(count);
      expect(transcript(agent.state.messages).filter((line) => line.startsWith("user"))).toEqual([
        "user hello",
        "user one",
        "user two",
      ]);
    })(),
  );
});

describe("a run that ends", () => {
  it.each([failure("overloaded"), failure("gone", "aborted")])(
    "with an error takes nothing more",
    (response) =>
      virtually(({ flush }) => {
        const { agent, requests } = setUp({ responses: [response] });
        agent.subscribe(({ type }) => {
          if (type !== "message_end" || agent.hasQueuedMessages()) return;
          agent.steer(user("steered"));
          agent.followUp(user("followed"));
        });
        agent.prompt$([user("hello"), user("there")]).subscribe();
        agent.clearAllQueues();
        flush();
        expect(names(agent.queued.followUp)).toEqual(["user followed"]);
        expect(requests).toHaveLength(1);
      })(),
  );

  it(
    "by finishTurn leaves queued what came while it decided",
    virtually(({ at, flush }) => {
      const { agent, events, requests } = setUp({
        finishTurn: () => timer(10).pipe(map(() => ({ action: "end" as const }))),
      });
      agent.prompt$("hello").subscribe();
      at(5, () => {
        agent.steer(user("steered"));
        agent.followUp(user("followed"));
      });
      flush();
      expect(lines(events).at(-1)).toBe("agent_end stopped");
      expect(names(agent.queued.steering)).toEqual(["user steered"]);
      expect(names(agent.queued.followUp)).toEqual(["user followed"]);
      expect(requests).toHaveLength(1);
    }),
  );

  it(
    "is carried on by finishTurn's continue when nothing else would",
    virtually(({ flush }) => {
      let turns = 0;
      const { agent, requests } = setUp({
        finishTurn: () => ({ action: ++turns < 3 ? "continue" : "end" }) as never,
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(3);
    }),
  );
});
