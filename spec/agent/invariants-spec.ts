import { describe, expect, it } from "@jest/globals";
import { concat, map, of, throwError, timer } from "rxjs";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { Agent, AgentEvent } from "pi-agent-rx";
import {
  answer,
  call,
  calls,
  failure,
  inShort,
  lines,
  started,
  terminal,
  text,
  transcript,
  user,
} from "./support/messages";
import { faultsOf } from "./support/laws";
import { reply, shown, type Response } from "./support/provider";
import { strayErrors } from "./support/rejections";
import { setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("I1: every call of a committed message has one result before the next request", () => {
  it("in each request of a run", async () => {
    const { agent, requests, events } = setUp({
      responses: [calls("a", "b"), answer([call("c", "unknown")]), { ...calls("d"), stopReason: "length" }],
      tools: [tool((id) => (id === "b" ? Promise.reject(new Error("boom")) : result(id)))],
    });
    await agent.prompt("hello");
    expect(faultsOf(events)).toEqual([]);
    expect(
      shown(requests.at(-1))
        .filter((line) => line.startsWith("result"))
        .map((line) => line.slice(7, 8)),
    ).toEqual(["a", "b", "c", "d"]);
  });

  it("but calls that a user's own transcript left open are not touched", async () => {
    const { agent, requests } = setUp({
      initialState: { messages: [user("hello"), calls("open")] },
      tools: [tool()],
    });
    await agent.prompt("again");
    expect(shown(requests[0])).toEqual(["user hello", "assistant toolUse", "user again"]);
    expect(transcript(agent.state.messages).some((line) => line.startsWith("result"))).toBe(false);
  });
});

describe("I2: one agent_start, one agent_end, nothing after it", () => {
  it("also when provider and tools go on", async () => {
    let update!: () => void;
    const { agent, events } = setUp({
      responses: [calls("a"), concat(of(terminal(answer("bye"))), timer(5).pipe(map(() => started())))],
      tools: [
        tool((_id, _args, _signal, onUpdate) => ((update = () => onUpdate!(result("late"))), result("x"))),
      ],
    });
    await agent.prompt("hello");
    const { length } = events;
    update();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(events).toHaveLength(length);
    expect(faultsOf(events)).toEqual([]);
  });
});

const endings: [string, Response | undefined, (agent: Agent) => void][] = [
  ["a completed run", undefined, () => {}],
  ["a provider's error", failure("overloaded"), () => {}],
  ["streamFn's error", throwError(() => new Error("boom")), () => {}],
  ["an abort in the same tick", undefined, (agent) => agent.abort()],
  [
    "a listener's failure",
    undefined,
    (agent) => {
      const off = agent.subscribe(() => {
        off();
        throw new Error("boom");
      });
    },
  ],
];

describe.each(endings)("after %s", (_what, response, act) => {
  it("I3: prompt(), waitForIdle() and the observables settle", async () => {
    const { agent } = setUp({ responses: response ? [response] : [] });
    const settled: string[] = [];
    const run = agent.prompt("hello");
    act(agent);
    await Promise.all([run, agent.waitForIdle()]);
    agent.prompt$("again").subscribe({ complete: () => settled.push("prompt$") });
    await agent.waitForIdle();
    agent.dispose();
    agent.state$.subscribe({ complete: () => settled.push("state$") });
    expect(settled).toEqual(["prompt$", "state$"]);
  });

  it("I5: no unhandled rejection and no uncaught exception came out", async () => {
    const stray = await strayErrors(async () => {
      const { agent } = setUp({ responses: response ? [response] : [] });
      const run = agent.prompt("hello");
      act(agent);
      await run;
    });
    expect(stray).toEqual([]);
  });

  it("I9: the next prompt works on the same listeners and observers", async () => {
    const { agent, events, requests } = setUp({ responses: response ? [response] : [] });
    const observed: AgentEvent[] = [];
    agent.events$.subscribe((event) => observed.push(event));
    const run = agent.prompt("hello");
    act(agent);
    await run;
    events.length = observed.length = 0;
    await agent.prompt("again");
    expect(lines(events).at(-1)).toBe("agent_end completed");
    expect(observed).toEqual(events);
    expect(faultsOf(events)).toEqual([]);
    expect(shown(requests.at(-1)).at(-1)).toBe("user again");
  });
});

describe("I5: a prompt() that rejects unseen", () => {
  it("is the caller's own; waitForIdle() and prompt$ add none", async () => {
    const stray = await strayErrors(async () => {
      const { agent } = setUp();
      agent.subscribe(({ type }) => {
        if (type === "agent_end") throw new Error("late");
      });
      agent.prompt("hello").catch(() => {});
      await agent.waitForIdle();
    });
    expect(stray).toEqual([]);
  });
});

describe("I8: what an event has shown", () => {
  it("keeps its top-level fields, and those of its message, when the provider goes on writing", () => {
    virtually(({ flush }) => {
      const partial: AssistantMessage = answer([text("h")]);
      const written$ = concat(
        of({ type: "start" as const, partial }),
        timer(1).pipe(
          map(() => {
            partial.content.push(text("ey"));
            partial.responseId = "r-1";
            partial.usage = { ...partial.usage, output: 9 };
            return { type: "text_delta" as const, contentIndex: 1, delta: "ey", partial };
          }),
        ),
        timer(1).pipe(
          map(() => {
            partial.stopReason = "length";
            partial.responseId = "r-2";
            return terminal(partial);
          }),
        ),
      );
      const { agent, events } = setUp({ responses: [written$, calls("a")], tools: [tool()] });
      const shownThen: { event: AgentEvent; fields: unknown; message: unknown }[] = [];
      agent.subscribe((event) => {
        const message = "message" in event ? { ...event.message } : undefined;
        shownThen.push({ event, fields: { ...event }, message });
      });
      agent.prompt$("hello").subscribe();
      flush();
      agent.prompt$("again").subscribe();
      flush();
      expect(shownThen.length).toBe(events.length);
      for (const { event, fields, message } of shownThen) {
        expect(
          Object.entries(event).every(([key, value]) => value === (fields as Record<string, unknown>)[key]),
        ).toBe(true);
        if (!message || !("message" in event)) continue;
        const now = Object.entries(event.message);
        expect(now.map(([key]) => key)).toEqual(Object.keys(message));
        for (const [key, value] of now) expect(value).toBe((message as Record<string, unknown>)[key]);
      }
      const live = events.find(
        (event) => event.type === "message_start" && event.message.role === "assistant",
      );
      expect(live).toMatchObject({ message: { content: [{ text: "h" }, { text: "ey" }] } });
    })();
  });

  it("agent_end.messages are the messages that the run added", async () => {
    const { agent, events } = setUp({
      initialState: { messages: [user("before"), answer("yes")] },
      responses: [reply(calls("a"))],
      tools: [tool()],
    });
    await agent.prompt("hello");
    const end = events.at(-1) as Extract<AgentEvent, { type: "agent_end" }>;
    const added = agent.state.messages.slice(-end.messages.length);
    expect(end.messages).toEqual(added);
    expect(end.messages.filter(({ role }) => role !== "system").map(inShort)).toEqual([
      "user hello",
      "assistant toolUse",
      "result a: done",
      "assistant stop",
    ]);
  });
});
