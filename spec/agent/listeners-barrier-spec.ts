import { describe, expect, it } from "@jest/globals";
import { concat, ignoreElements, map, of, timer } from "rxjs";
import { deferred, drain } from "./support/deferred";
import { calls, lines, user } from "./support/messages";
import { endOf, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("listeners", () => {
  it(
    "are told one after the other, in the order in which they joined, and each is awaited",
    virtually(({ flush, now }) => {
      const { agent } = setUp();
      const told: string[] = [];
      const listener = (name: string, ms: number) => (event: { type: string }) => {
        if (event.type !== "turn_start") return undefined;
        told.push(`${now()} ${name}`);
        return timer(ms);
      };
      agent.subscribe(listener("one", 5));
      agent.subscribe(listener("two", 7));
      agent.subscribe(listener("three", 1));
      agent.prompt$("hello").subscribe();
      flush();
      expect(told).toEqual(["0 one", "5 two", "12 three"]);
      expect(now()).toBe(13);
    }),
  );

  it(
    "are awaited to the completion of their observable, whatever it emits",
    virtually(({ flush, now }) => {
      const { agent } = setUp();
      agent.subscribe(({ type }) =>
        type === "message_end" ? concat(of(1, 2), timer(5), timer(5).pipe(ignoreElements())) : undefined,
      );
      agent.prompt$("hello").subscribe();
      flush();
      expect(now()).toBe(20);
    }),
  );

  it("are awaited to the settlement of their promise", async () => {
    const { agent, events } = setUp();
    const held = deferred();
    agent.subscribe(({ type }) => (type === "turn_start" ? held.promise : undefined));
    const settled = agent.prompt("hello");
    await drain();
    expect(lines(events)).toEqual(["agent_start", "turn_start"]);
    held.resolve();
    await settled;
    expect(endOf(events).outcome).toBe("completed");
  });

  it(
    "keep one lane: while one of them is awaited no event of a concurrent tool is told",
    virtually(({ flush, now }) => {
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => timer(5).pipe(map(() => result(id))))],
      });
      const told: string[] = [];
      agent.subscribe((event) => {
        if (event.type !== "tool_execution_end") return undefined;
        told.push(`${now()} ${event.toolCallId}`);
        return timer(10);
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(told).toEqual(["5 a", "15 b"]);
    }),
  );

  it("add no microtask when none of them returns a promise", async () => {
    const { agent, events } = setUp({ responses: [calls("a")], tools: [tool()] });
    const settled = agent.prompt("hello");
    const after: number[] = [];
    await Promise.resolve();
    await Promise.resolve();
    after.push(lines(events).indexOf("turn_end"));
    await settled;
    expect(after[0]).toBeGreaterThan(0);
  });

  it("see the state as the event left it", async () => {
    const { agent } = setUp();
    const seen: string[] = [];
    agent.subscribe((event) => {
      const { messages, streamingMessage } = agent.state;
      seen.push(`${event.type} ${messages.length} ${streamingMessage?.role ?? "-"}`);
    });
    await agent.prompt("hello");
    expect(seen).toEqual([
      "agent_start 0 -",
      "turn_start 0 -",
      "message_start 0 user",
      "message_end 1 -",
      "message_start 1 assistant",
      "message_update 1 assistant",
      "message_end 2 -",
      "turn_end 2 -",
      "agent_end 2 -",
    ]);
  });

  it("may join and leave in mid-run", async () => {
    const { agent } = setUp();
    const late: string[] = [];
    const early: string[] = [];
    const leave = agent.subscribe(({ type }) => {
      early.push(type);
      if (type !== "turn_start") return;
      leave();
      agent.subscribe((event) => void late.push(event.type));
    });
    await agent.prompt("hello");
    expect(early).toEqual(["agent_start", "turn_start"]);
    expect(late.slice(-1)).toEqual(["agent_end"]);
    expect(late).toContain("message_start");
    expect(late).not.toContain("agent_start");
  });

  it("stay for the next run, failed and aborted runs included", async () => {
    const { agent, events } = setUp({
      responses: [
        () => {
          throw new Error("boom");
        },
      ],
    });
    await agent.prompt("fails");
    const aborted = agent.prompt("is aborted");
    agent.abort();
    await aborted;
    await agent.prompt("works");
    expect(lines(events).filter((line) => line.startsWith("agent_end"))).toEqual([
      "agent_end failed",
      "agent_end aborted",
      "agent_end completed",
    ]);
  });
});

describe("isStreaming", () => {
  it("is true in agent_end listeners, awaited ones included, and false when prompt() has resolved", async () => {
    const { agent } = setUp();
    const seen: boolean[] = [];
    agent.subscribe(async ({ type }) => {
      if (type !== "agent_end") return;
      seen.push(agent.state.isStreaming);
      await drain();
      seen.push(agent.state.isStreaming);
    });
    await agent.prompt("hello");
    expect(seen).toEqual([true, true]);
    expect(agent.state.isStreaming).toBe(false);
  });
});

describe("prompt() and continue() inside a run", () => {
  it.each(["agent_start", "turn_end", "agent_end"])("reject in a listener of %s", async (type) => {
    const { agent, requests } = setUp();
    const errors: string[] = [];
    const note = (error: Error) => void errors.push(error.message);
    agent.subscribe(async (event) => {
      if (event.type !== type) return;
      await agent.prompt(user("more")).catch(note);
      await agent.continue().catch(note);
    });
    await agent.prompt("hello");
    expect(errors).toEqual([
      expect.stringMatching(/already processing a prompt.*steer\(\) or followUp\(\)/),
      expect.stringMatching(/already processing/),
    ]);
    expect(requests).toHaveLength(1);
  });
});
