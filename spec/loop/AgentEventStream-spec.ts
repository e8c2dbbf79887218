import { describe, expect, it, jest } from "@jest/globals";
import { EventStream } from "@earendil-works/pi-ai";
import { Observable, timer } from "rxjs";
import { AgentEventStream, type AgentEvent, type ReactiveStreamFn } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, user } from "../support/fixtures";
import { label } from "../support/label";
import { runOptions, type RunFields } from "../support/loop";
import { nothingStray, settled } from "../support/nothingStray";
import { answers } from "../support/providerEvents";

const stream = (fields?: RunFields) => new AgentEventStream(runOptions(fields));

async function read(events: AsyncIterable<AgentEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) seen.push(label(event));
  return seen;
}

/** A stream function whose request stays open until it is left; says whether it was, and what its signal says. */
function openProvider() {
  const seen = { left: false, signal: undefined as AbortSignal | undefined };
  const streamFn: ReactiveStreamFn = (_model, _context, options) => {
    seen.signal = options?.signal;
    return new Observable(() => () => (seen.left = true));
  };
  return { seen, streamFn };
}

describe("AgentEventStream", () => {
  nothingStray();

  it("is an event stream of pi's kind", () => {
    expect(stream()).toBeInstanceOf(EventStream);
  });

  it("gives every event in order, and the messages that the run added", async () => {
    const events = stream();
    const seen = await read(events);
    expect(seen.slice(0, 2)).toEqual(["agent_start", "turn_start"]);
    expect(seen.at(-1)).toBe("agent_end");
    await expect(events.result()).resolves.toMatchObject([user("hi"), { role: "assistant" }]);
  });

  it("starts at once and keeps its events for who comes later", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(answers(assistant("done")));
    const events = stream({ streamFn });
    await events.result();
    expect(streamFn).toHaveBeenCalledTimes(1);
    await expect(read(events)).resolves.toContain("agent_end");
  });

  it("gives the result again and again", async () => {
    const events = stream();
    const first = await events.result();
    await expect(events.result()).resolves.toBe(first);
  });

  it("aborts the run when a for await is left early, and result() still settles", async () => {
    const { seen, streamFn } = openProvider();
    const events = stream({ streamFn, config: { abortGraceMs: 0 } });
    for await (const event of events) if (event.type === "message_end") break;
    await expect(events.result()).resolves.toMatchObject([user("hi"), { stopReason: "aborted" }]);
    expect(seen.left).toBe(true);
  });

  it("leaves the provider when the iteration is left in the middle of a response", async () => {
    const { seen, streamFn } = openProvider();
    const events = stream({ streamFn, config: { abortGraceMs: 0 } });
    const iterator = events[Symbol.asyncIterator]();
    for (let n = 0; n < 4; n++) await iterator.next();
    await settled();
    expect(seen.signal!.aborted).toBe(false);
    await expect(iterator.return!("value")).resolves.toEqual({ done: true, value: "value" });
    expect(seen.signal!.aborted).toBe(true);
    await expect(events.result()).resolves.toMatchObject([user("hi"), { stopReason: "aborted" }]);
    expect(seen.left).toBe(true);
  });

  it("is left without harm when it has ended", async () => {
    const events = stream();
    await events.result();
    const iterator = events[Symbol.asyncIterator]();
    await iterator.return!();
    await expect(events.result()).resolves.toHaveLength(2);
  });

  it("aborts the run when the body of the loop throws", async () => {
    const { seen, streamFn } = openProvider();
    const events = stream({ streamFn, config: { abortGraceMs: 0 } });
    const reading = (async () => {
      for await (const event of events) if (event.type === "message_end") throw new Error("mine");
    })();
    await expect(reading).rejects.toThrow("mine");
    await expect(events.result()).resolves.toMatchObject([user("hi"), { stopReason: "aborted" }]);
    expect(seen.left).toBe(true);
  });

  describe.each(["convertToLlm", "streamFn", "finishTurn"])("when %s fails", (name) => {
    const failing = (hook: () => never) =>
      stream(name === "streamFn" ? { streamFn: hook } : { config: { [name]: hook } });

    it.each(failingHooks)("fails both the iteration and result(): it %s", async (_, hook) => {
      const events = failing(hook);
      const reading = read(events);
      await expect(reading).rejects.toBe(hookError);
      await expect(events.result()).rejects.toBe(hookError);
    });

    it("fails the iteration after the events that came before, for everybody who reads", async () => {
      const events = failing(failingHooks[0]![1]);
      const seen: string[] = [];
      const iterator = events[Symbol.asyncIterator]();
      const reading = (async () => {
        for (let item = await iterator.next(); !item.done; item = await iterator.next())
          seen.push(label(item.value));
      })();
      await expect(reading).rejects.toBe(hookError);
      expect(seen.slice(0, 4)).toEqual([
        "agent_start",
        "turn_start",
        "message_start user",
        "message_end user",
      ]);
      expect(seen).not.toContain("agent_end");
      await expect(iterator.next()).rejects.toBe(hookError);
    });

    it("leaves no unhandled rejection when only the iteration is used", async () => {
      await expect(read(failing(failingHooks[1]![1]))).rejects.toBe(hookError);
    });

    it("leaves no unhandled rejection when only result() is used, or none", async () => {
      await expect(failing(failingHooks[1]![1]).result()).rejects.toBe(hookError);
      failing(failingHooks[1]![1]);
    });
  });

  it("ends in order when the outer signal is aborted", async () => {
    const controller = new AbortController();
    const { seen, streamFn } = openProvider();
    const events = stream({ streamFn, signal: controller.signal, config: { abortGraceMs: 0 } });
    timer(1).subscribe(() => controller.abort("enough"));
    expect(await read(events)).toContain("agent_end");
    expect(seen.signal!.reason).toBe("enough");
  });

  it("refuses bad options by name", () => {
    expect(() => new AgentEventStream({ ...runOptions(), context: 1 as never })).toThrow("context: expected");
  });
});
