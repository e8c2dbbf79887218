import { describe, expect, it } from "@jest/globals";
import { config, map, take, timer } from "rxjs";
import type { AgentEvent } from "pi-agent-rx";
import { deferred, drain } from "./support/deferred";
import { calls, lines } from "./support/messages";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

const boom = new Error("boom");

/** What RxJS reported as unhandled while `body` ran. */
function reported(body: (errors: unknown[]) => void): unknown[] {
  const errors: unknown[] = [];
  const before = config.onUnhandledError;
  config.onUnhandledError = (error) => errors.push(error);
  try {
    body(errors);
  } finally {
    config.onUnhandledError = before;
  }
  return errors;
}

describe("events$", () => {
  it("shows each event once it has passed the listeners", async () => {
    const { agent } = setUp();
    const held = deferred();
    const seen: string[] = [];
    agent.events$.subscribe((event) => seen.push(event.type));
    agent.subscribe(({ type }) => (type === "turn_start" ? held.promise : undefined));
    const settled = agent.prompt("hello");
    await drain();
    expect(seen).toEqual(["agent_start"]);
    held.resolve();
    await settled;
    expect(seen.slice(0, 2)).toEqual(["agent_start", "turn_start"]);
    expect(seen.at(-1)).toBe("agent_end");
  });

  it("is hot: it shows what happens from now on, over any number of runs", async () => {
    const { agent, events } = setUp();
    const seen: AgentEvent[] = [];
    await agent.prompt("before");
    events.length = 0;
    agent.events$.subscribe((event) => seen.push(event));
    expect(seen).toEqual([]);
    await agent.prompt("hello");
    await agent.prompt("again");
    expect(seen).toEqual(events);
  });

  it("does not await its observers", () => {
    virtually(({ flush, now }) => {
      const { agent } = setUp();
      agent.events$.subscribe(() => timer(1000) as unknown as void);
      agent.prompt$("hello").subscribe();
      flush();
      expect(now()).toBe(0);
    })();
  });

  it("may lose its last observer: the run goes on", async () => {
    const { agent, events } = setUp({ responses: [calls("a")], tools: [tool()] });
    agent.events$.pipe(take(3)).subscribe();
    await agent.prompt("hello");
    expect(lines(events).at(-1)).toBe("agent_end completed");
  });

  it("reports an observer that throws through config.onUnhandledError, and touches nothing else", () => {
    const errors = reported(() =>
      virtually(({ flush }) => {
        const { agent, events, requests } = setUp({ responses: [calls("a")], tools: [tool()] });
        const others: AgentEvent[][] = [[], []];
        agent.events$.subscribe((event) => others[0]!.push(event));
        agent.events$.subscribe((event) => {
          if (event.type === "turn_start") throw boom;
        });
        agent.events$.subscribe((event) => others[1]!.push(event));
        agent.prompt$("hello").subscribe();
        flush();
        expect(others).toEqual([events, events]);
        expect(lines(events).at(-1)).toBe("agent_end completed");
        expect(agent.state.errorMessage).toBeUndefined();
        expect(requests).toHaveLength(2);
      })(),
    );
    expect(errors).toEqual([boom, boom]);
  });

  it("reports an observer that throws at every event, and the next run works on the same observers", () => {
    const errors = reported(() =>
      virtually(({ flush }) => {
        const { agent, events } = setUp();
        agent.events$.subscribe(() => {
          throw boom;
        });
        agent.prompt$("hello").subscribe();
        flush();
        agent.prompt$("again").subscribe();
        flush();
        expect(lines(events).filter((line) => line === "agent_end completed")).toHaveLength(2);
      })(),
    );
    expect(errors.length).toBeGreaterThan(2);
    expect(new Set(errors)).toEqual(new Set([boom]));
  });

  it("reports a pipeline of an observer's that throws, in the same way", () => {
    const errors = reported(() =>
      virtually(({ flush }) => {
        const { agent, events } = setUp();
        const fail = () => {
          throw boom;
        };
        agent.events$.pipe(map(fail)).subscribe();
        agent.prompt$("hello").subscribe();
        flush();
        expect(lines(events).at(-1)).toBe("agent_end completed");
      })(),
    );
    expect(errors).toEqual([boom]);
  });

  it("never errors, though runs fail, are aborted or reject", async () => {
    const { agent } = setUp({
      responses: [
        () => {
          throw boom;
        },
      ],
    });
    const ended: string[] = [];
    agent.events$.subscribe({ error: () => ended.push("error"), complete: () => ended.push("complete") });
    await agent.prompt("fails");
    const aborted = agent.prompt("is aborted");
    agent.abort();
    await aborted;
    agent.subscribe(({ type }) => {
      if (type === "agent_end") throw boom;
    });
    await expect(agent.prompt("rejects")).rejects.toBe(boom);
    expect(ended).toEqual([]);
    agent.dispose();
    expect(ended).toEqual(["complete"]);
  });
});

describe("an observer of state$ that throws", () => {
  it("is reported through config.onUnhandledError, and touches nothing else", () => {
    const errors = reported(() =>
      virtually(({ flush }) => {
        const { agent, events } = setUp();
        const counts: number[] = [];
        agent.state$.subscribe(() => {
          throw boom;
        });
        agent.state$.subscribe(({ messages }) => counts.push(messages.length));
        agent.prompt$("hello").subscribe();
        flush();
        expect(lines(events).at(-1)).toBe("agent_end completed");
        expect(counts.at(-1)).toBe(2);
      })(),
    );
    expect(new Set(errors)).toEqual(new Set([boom]));
  });
});

describe("an observer of prompt$ that throws", () => {
  it("is reported through config.onUnhandledError, and the run goes on", () => {
    const errors = reported(() =>
      virtually(({ flush }) => {
        const { agent, events } = setUp();
        agent.prompt$("hello").subscribe(({ type }) => {
          if (type === "turn_start") throw boom;
        });
        flush();
        expect(lines(events).at(-1)).toBe("agent_end completed");
      })(),
    );
    expect(errors).toEqual([boom]);
  });
});
