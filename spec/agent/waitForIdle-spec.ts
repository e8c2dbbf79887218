import { describe, expect, it } from "@jest/globals";
import { defer, from } from "rxjs";
import { deferred, drain } from "./support/deferred";
import { strayErrors } from "./support/rejections";
import { setUp } from "./support/setUp";

const note = (log: string[], what: string) => () => void log.push(what);

describe("waitForIdle", () => {
  it("resolves at once when nothing runs", async () => {
    await setUp().agent.waitForIdle();
    expect.assertions(0);
  });

  it("resolves when the run has settled, agent_end listeners included", async () => {
    const { agent } = setUp();
    const held = deferred();
    const log: string[] = [];
    agent.subscribe(({ type }) => (type === "agent_end" ? held.promise : undefined));
    const settled = agent.prompt("hello");
    const idle = agent.waitForIdle().then(() => log.push(`idle, streaming ${agent.state.isStreaming}`));
    await drain();
    expect(log).toEqual([]);
    held.resolve();
    await Promise.all([settled, idle]);
    expect(log).toEqual(["idle, streaming false"]);
  });

  it("resolves for everyone who waits, and lets a new run start", async () => {
    const { agent, requests } = setUp();
    const settled = agent.prompt("hello");
    await Promise.all([agent.waitForIdle(), agent.waitForIdle()]);
    const second = agent.prompt("again");
    await Promise.all([settled, second]);
    expect(requests).toHaveLength(2);
  });

  it.each(["agent_start", "message_end", "agent_end"])(
    "works from a listener of %s that returns nothing",
    async (type) => {
      const { agent } = setUp();
      const log: string[] = [];
      let called = false;
      agent.subscribe((event) => {
        if (event.type !== type || called) return;
        called = true;
        void agent.waitForIdle().then(note(log, `idle`), note(log, "failed"));
      });
      await agent.prompt("hello");
      await drain();
      expect(log).toEqual(["idle"]);
    },
  );

  it("rejects, instead of a deadlock, in the synchronous part of a listener that returns a promise", async () => {
    const { agent } = setUp();
    let error: unknown;
    agent.subscribe(async ({ type }) => {
      if (type === "turn_start") await agent.waitForIdle().catch((caught: unknown) => (error = caught));
    });
    await agent.prompt("hello");
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(/waitForIdle\(\)/);
    expect(agent.state.errorMessage).toBeUndefined();
  });

  it("rejects in a listener that returns an observable", async () => {
    const { agent } = setUp();
    const log: string[] = [];
    agent.subscribe(({ type }) => {
      if (type !== "turn_start") return undefined;
      const idle = agent.waitForIdle().then(note(log, "idle"), note(log, "rejected"));
      return defer(() => from(idle));
    });
    await agent.prompt("hello");
    expect(log).toEqual(["rejected"]);
  });

  it("fails the run of an async listener that lets its rejection pass, and nothing hangs", async () => {
    const { agent } = setUp();
    let called = false;
    agent.subscribe(async () => {
      if (called) return;
      called = true;
      await agent.waitForIdle();
    });
    await agent.prompt("hello");
    expect(agent.state.errorMessage).toMatch(/waitForIdle\(\)/);
  });

  it("blames only the listener that called it", async () => {
    const { agent } = setUp();
    const log: string[] = [];
    agent.subscribe(({ type }) => {
      if (type === "turn_start") void agent.waitForIdle().then(note(log, "idle"), note(log, "rejected"));
    });
    agent.subscribe(async () => {});
    await agent.prompt("hello");
    await drain();
    expect(log).toEqual(["idle"]);
  });

  it("works from an observer of events$", async () => {
    const { agent } = setUp();
    const log: string[] = [];
    agent.events$.subscribe(({ type }) => {
      if (type === "turn_start") void agent.waitForIdle().then(note(log, "idle"), note(log, "rejected"));
    });
    agent.subscribe(async () => {});
    await agent.prompt("hello");
    await drain();
    expect(log).toEqual(["idle"]);
  });

  it("leaves no unhandled rejection when nobody looks at it", async () => {
    const stray = await strayErrors(async () => {
      const { agent } = setUp();
      agent.subscribe(async () => void agent.waitForIdle());
      await agent.prompt("hello");
    });
    expect(stray).toEqual([]);
  });

  it("resolves after a run that failed, was aborted, or whose prompt() rejected", async () => {
    const { agent } = setUp({
      responses: [
        () => {
          throw new Error("boom");
        },
      ],
    });
    for (const act of [() => {}, () => agent.abort()]) {
      const settled = agent.prompt("hello");
      act();
      await agent.waitForIdle();
      expect(agent.state.isStreaming).toBe(false);
      await settled;
    }
    agent.subscribe(({ type }) => {
      if (type === "agent_end") throw new Error("late");
    });
    const rejected = expect(agent.prompt("hello")).rejects.toThrow("late");
    await agent.waitForIdle();
    await rejected;
  });
});
