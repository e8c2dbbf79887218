import { describe, expect, it } from "@jest/globals";
import { map, NEVER, of, switchMap, throwError, timer } from "rxjs";
import { answer, calls, lines, transcript, user } from "./support/messages";
import { endOf, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("afterToolCall after an abort", () => {
  it(
    "runs for tools that ended, within the grace too",
    virtually(({ at, flush }) => {
      const seen: string[] = [];
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => timer(id === "a" ? 5 : 20).pipe(map(() => result(id))))],
        afterToolCall: ({ toolCall }) => {
          seen.push(toolCall.id);
          return { content: [{ type: "text" as const, text: `after ${toolCall.id}` }] };
        },
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual(["a", "b"]);
      expect(transcript(agent.state.messages).slice(2)).toEqual(["result a: after a", "result b: after b"]);
    }),
  );

  it(
    "runs for a tool that threw within the grace",
    virtually(({ at, flush }) => {
      const seen: boolean[] = [];
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => timer(20).pipe(switchMap(() => throwError(() => new Error("interrupted")))))],
        afterToolCall: ({ isError }) => void seen.push(isError),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual([true]);
    }),
  );

  it(
    "is not called for a tool that was left behind",
    virtually(({ at, flush }) => {
      const seen: string[] = [];
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => NEVER)],
        afterToolCall: ({ toolCall }) => void seen.push(toolCall.id),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual([]);
    }),
  );

  it(
    "is left behind when the grace is over: the finished tool keeps its real result",
    virtually(({ at, flush, now }) => {
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => of(result("real")))],
        afterToolCall: () => NEVER,
        abortGraceMs: 50,
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(transcript(agent.state.messages).slice(2)).toEqual(["result a: real"]);
      expect(now()).toBe(60);
    }),
  );
});

describe("finishTurn after an abort", () => {
  it(
    "runs for the aborted turn, its decision ignored",
    virtually(({ at, flush }) => {
      const turns: string[][] = [];
      const { agent, events } = setUp({
        responses: [calls("a")],
        tools: [tool(() => NEVER)],
        finishTurn: ({ toolResults }) => {
          turns.push(transcript(toolResults));
          return { action: "end", reason: "limit" };
        },
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(turns).toEqual([["result a error: Operation aborted"]]);
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(endOf(events)).not.toHaveProperty("reason");
    }),
  );

  it(
    "cannot continue an aborted run",
    virtually(({ at, flush }) => {
      const { agent, requests } = setUp({
        responses: [calls("a")],
        tools: [tool(() => NEVER)],
        finishTurn: () => ({ action: "continue" }),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(requests).toHaveLength(1);
    }),
  );

  it.each<[string, () => typeof NEVER, number]>([
    ["is left behind when the grace is over", () => NEVER, 60],
    ["may throw", () => throwError(() => new Error("boom")), 10],
  ])("%s: turn_end and agent_end follow", (_what, hang, end) =>
    virtually(({ at, flush, now }) => {
      const { agent, events } = setUp({
        finishTurn: () => timer(10).pipe(switchMap(hang)),
        abortGraceMs: 50,
      });
      agent.prompt$("hello").subscribe();
      at(end === 10 ? 5 : 10, () => agent.abort());
      flush();
      expect(lines(events).slice(-3)).toEqual([
        "message_end assistant stop",
        "turn_end",
        "agent_end aborted",
      ]);
      expect(agent.state.errorMessage).toBeUndefined();
      expect(now()).toBe(end);
    })(),
  );

  it(
    "runs for a message that ended as aborted, without counting",
    virtually(({ at, flush }) => {
      const seen: string[] = [];
      const { agent } = setUp({
        responses: [NEVER],
        finishTurn: ({ message }) => void seen.push(message.stopReason),
        abortGraceMs: 0,
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual(["aborted"]);
    }),
  );
});

describe("prepareNextTurn in an aborted run", () => {
  it(
    "is not called",
    virtually(({ at, flush }) => {
      const seen: string[] = [];
      const { agent } = setUp({
        responses: [calls("a"), answer("never")],
        tools: [tool(() => NEVER)],
        prepareNextTurn: () => void seen.push("prepareNextTurn"),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(seen).toEqual([]);
    }),
  );

  it(
    "that aborts it itself gives no next turn, and what it took from the queue goes back",
    virtually(({ flush }) => {
      const { agent, events, requests } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        prepareNextTurn: () => {
          agent.abort();
          return { messages: [user("prepared")] };
        },
      });
      agent.subscribe(({ type }) => {
        if (type === "tool_execution_end") agent.steer(user("steered"));
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(transcript([...agent.queued.steering])).toEqual(["user steered"]);
      expect(requests).toHaveLength(1);
    }),
  );
});

describe("afterToolCall and finishTurn that abort the run themselves", () => {
  it(
    "have done their work: the result is kept, the decision is not",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        afterToolCall: () => {
          agent.abort("by afterToolCall");
          return { content: [{ type: "text" as const, text: "changed" }] };
        },
        finishTurn: () => {
          agent.abort("by finishTurn");
          return { action: "end", reason: "limit" };
        },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(2)).toEqual(["result a: changed"]);
      expect(endOf(events)).toMatchObject({ outcome: "aborted", reason: "by afterToolCall" });
    }),
  );
});
