import { describe, expect, it } from "@jest/globals";
import { map, NEVER, switchMap, throwError, timer } from "rxjs";
import { calls, lines, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { endOf, only, setUp, type SetUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

const twoTurns = (options: SetUp = {}) => setUp({ responses: [calls("a")], tools: [tool()], ...options });
const oneTurn = ["user hello", "assistant toolUse", "result a: done"];

describe("abort between two turns", () => {
  it(
    "in a listener of turn_end ends the run with agent_end alone",
    virtually(({ flush, now }) => {
      const { agent, events, requests } = twoTurns();
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.abort("enough");
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(only(events, "turn_start")).toHaveLength(1);
      expect(transcript(agent.state.messages)).toEqual(oneTurn);
      expect(endOf(events).reason).toBe("enough");
      expect(agent.state.errorMessage).toBeUndefined();
      expect([requests.length, now()]).toEqual([1, 0]);
    }),
  );

  it(
    "while a listener of turn_end is waited for ends the run when that listener has settled",
    virtually(({ at, flush, now }) => {
      const { agent, events } = twoTurns({ abortGraceMs: 5 });
      agent.subscribe(({ type }) => (type === "turn_end" ? timer(5000) : undefined));
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(now()).toBe(5000);
    }),
  );

  it.each(["prepareNextTurn", "prepareNextTurnWithContext"] as const)(
    "while %s is pending waits for it, for the grace at most",
    (hook) =>
      virtually(({ at, flush, now }) => {
        const { agent, events } = twoTurns({ [hook]: () => NEVER, abortGraceMs: 50 });
        agent.prompt$("hello").subscribe();
        at(10, () => agent.abort());
        flush();
        expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
        expect(transcript(agent.state.messages)).toEqual(oneTurn);
        expect(now()).toBe(60);
      })(),
  );

  it(
    "commits nothing that prepareNextTurn gives within the grace",
    virtually(({ at, flush, now }) => {
      const { agent, events } = twoTurns({
        prepareNextTurn: () => timer(30).pipe(map(() => ({ messages: [user("prepared")] }))),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(transcript(agent.state.messages)).toEqual(oneTurn);
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(now()).toBe(30);
    }),
  );

  it(
    "is still an abort when prepareNextTurn throws within the grace",
    virtually(({ at, flush }) => {
      const { agent, events } = twoTurns({
        prepareNextTurn: () => timer(30).pipe(switchMap(() => throwError(() => new Error("was aborted")))),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort("enough"));
      flush();
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(endOf(events).reason).toBe("enough");
      expect(faultsOf(events)).toEqual([]);
    }),
  );

  it(
    "in the run's last turn_end counts all the same",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.abort("late");
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(endOf(events)).toMatchObject({ outcome: "aborted", reason: "late" });
    }),
  );

  it(
    "in a listener of the next turn_start ends that turn with an aborted message",
    virtually(({ flush }) => {
      const { agent, events, requests } = twoTurns();
      agent.subscribe(({ type }) => {
        if (type === "turn_start" && requests.length === 1) agent.abort();
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual([...oneTurn, "assistant aborted"]);
      expect(lines(events).slice(-5)).toEqual([
        "turn_start",
        "message_start assistant",
        "message_end assistant aborted",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(requests).toHaveLength(1);
    }),
  );
});

describe("abort in agent_end", () => {
  it(
    "changes nothing about the run that has ended",
    virtually(({ at, flush, now }) => {
      const { agent, events } = setUp();
      agent.subscribe(({ type }) => {
        if (type !== "agent_end") return undefined;
        agent.abort("too late");
        return timer(20);
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort("too late"));
      flush();
      expect(endOf(events).outcome).toBe("completed");
      expect(only(events, "agent_end")).toHaveLength(1);
      expect(now()).toBe(20);
      agent.prompt$("again").subscribe();
      flush();
      expect(endOf(events).outcome).toBe("completed");
    }),
  );
});
