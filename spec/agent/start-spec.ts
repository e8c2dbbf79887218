import { describe, expect, it } from "@jest/globals";
import { defer, NEVER, timer } from "rxjs";
import { inShort, lines, transcript, user } from "./support/messages";
import { shown } from "./support/provider";
import { setUp } from "./support/setUp";
import { virtually } from "./support/virtually";

describe("start of a run", () => {
  it("delivers agent_start inside prompt(), and nothing else", async () => {
    const { agent, events, requests } = setUp();
    const settled = agent.prompt("hello");
    expect(lines(events)).toEqual(["agent_start"]);
    expect(agent.state.isStreaming).toBe(true);
    await settled;
    expect(lines(events).slice(0, 3)).toEqual(["agent_start", "turn_start", "message_start user"]);
    expect(requests).toHaveLength(1);
  });

  it("delivers agent_start inside continue()", async () => {
    const { agent, events } = setUp({ initialState: { messages: [user("hello")] } });
    const settled = agent.continue();
    expect(lines(events)).toEqual(["agent_start"]);
    await settled;
  });

  it("brings what follows one microtask later", async () => {
    const { agent, events } = setUp();
    const order: string[] = [];
    agent.subscribe((event) => void order.push(event.type));
    queueMicrotask(() => order.push("a microtask from before"));
    const settled = agent.prompt("hello");
    order.push("prompt() has returned");
    await settled;
    expect(order.slice(0, 4)).toEqual([
      "agent_start",
      "prompt() has returned",
      "a microtask from before",
      "turn_start",
    ]);
    expect(events).toHaveLength(order.length - 2);
  });

  it("counts a steer() of the same tick for the first request", async () => {
    const { agent, requests } = setUp();
    const settled = agent.prompt("hello");
    agent.steer(user("be brief"));
    await settled;
    expect(shown(requests[0])).toEqual(["user hello", "user be brief"]);
    expect(requests).toHaveLength(1);
  });

  it.each(["agent_start", "turn_start", "message_end"])(
    "counts a steer() in a listener of %s for the first request",
    async (type) => {
      const { agent, requests } = setUp();
      let steered = false;
      agent.subscribe((event) => {
        if (event.type !== type || steered) return;
        steered = true;
        agent.steer(user("be brief"));
      });
      await agent.prompt("hello");
      expect(shown(requests[0])).toEqual(["user hello", "user be brief"]);
    },
  );

  it("counts an abort() of the same tick before the first request", async () => {
    const { agent, events, requests } = setUp();
    const settled = agent.prompt("hello");
    agent.abort();
    await settled;
    expect(requests).toEqual([]);
    expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
    expect(lines(events).at(-1)).toBe("agent_end aborted");
  });

  it(
    "hops in virtual time",
    virtually(({ flush, now }) => {
      const { agent, events, requests } = setUp();
      agent.prompt$("hello").subscribe();
      expect(lines(events)).toEqual(["agent_start"]);
      agent.steer(user("be brief"));
      flush();
      expect(shown(requests[0])).toEqual(["user hello", "user be brief"]);
      expect(lines(events).at(-1)).toBe("agent_end completed");
      expect(now()).toBe(0);
    }),
  );

  it(
    "waits for the listeners of agent_start before the first turn",
    virtually(({ at, flush }) => {
      const { agent, events } = setUp();
      agent.subscribe(({ type }) => (type === "agent_start" ? timer(5) : undefined));
      agent.prompt$("hello").subscribe();
      at(4, () => expect(lines(events)).toEqual(["agent_start"]));
      at(6, () => expect(lines(events).at(-1)).toBe("agent_end completed"));
      flush();
      expect.assertions(2);
    }),
  );

  it(
    "does nothing before prompt$ is subscribed",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      agent.prompt$("hello");
      flush();
      expect(events).toEqual([]);
      expect(agent.state.isStreaming).toBe(false);
    }),
  );

  it("refuses a second run while one is going on, and leaves it alone", async () => {
    const { agent, events } = setUp();
    const settled = agent.prompt("hello");
    const refused = Promise.allSettled([agent.prompt("again"), agent.continue()]);
    expect(() => agent.reset()).toThrow("Agent is already processing");
    const reasons = (await refused).map((outcome) => outcome.status === "rejected" && String(outcome.reason));
    expect(reasons[0]).toMatch("Agent is already processing a prompt. Use steer() or followUp()");
    expect(reasons[1]).toMatch("Agent is already processing. Wait for completion before continuing.");
    await settled;
    expect(lines(events).filter((line) => line === "agent_start")).toHaveLength(1);
    expect(agent.state.messages.filter(({ role }) => role === "user").map(inShort)).toEqual(["user hello"]);
  });

  it("needs no message: prompt([]) asks about the transcript as it is", async () => {
    const { agent, requests } = setUp({ initialState: { messages: [user("hello")] } });
    await agent.prompt([]);
    expect(shown(requests[0])).toEqual(["user hello"]);
  });

  it("has nothing to continue from in an empty transcript or after an answer", async () => {
    const { agent } = setUp({ initialState: { systemPrompt: "Be brief." } });
    await expect(agent.continue()).rejects.toThrow("No messages to continue from");
    await agent.prompt("hello");
    await expect(agent.continue()).rejects.toThrow("Cannot continue from message role: assistant");
    expect(agent.state.isStreaming).toBe(false);
  });

  it(
    "gives the run's signal to listeners and, as agent.signal, to everyone",
    virtually(({ at, flush }) => {
      const { agent } = setUp({ responses: [defer(() => NEVER)], abortGraceMs: 0 });
      const signals = new Set<AbortSignal | undefined>();
      agent.subscribe((_event, signal) => void signals.add(signal));
      expect(agent.signal).toBeUndefined();
      agent.prompt$("hello").subscribe();
      signals.add(agent.signal);
      at(1, () => agent.abort());
      flush();
      expect([...signals].map((signal) => signal?.aborted)).toEqual([true]);
      expect(agent.signal).toBeUndefined();
    }),
  );
});
