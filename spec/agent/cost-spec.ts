import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { Observable, of } from "rxjs";
import { Agent, type AgentMessage } from "pi-agent-rx";
import { answer, calls } from "./support/messages";
import { setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { start, delta, terminal } from "../support/providerEvents";
import { assistant, model, user } from "../support/fixtures";

// Counts, not times: what a turn, a call and a delta may cost. Each limit has been measured, and is to stay.

const work = tool(() => Promise.resolve(result("done")));

/** How many subscriptions of RxJS a whole run makes. */
async function subscriptionsOf(run: () => Promise<void>): Promise<number> {
  const subscribe = jest.spyOn(Observable.prototype, "subscribe");
  await run();
  const count = subscribe.mock.calls.length;
  subscribe.mockRestore();
  return count;
}

/** What one more of something costs, between runs with `few` and `many` of it. */
async function costOfOne(few: number, many: number, run: (count: number) => Promise<void>): Promise<number> {
  const [less, more] = [await subscriptionsOf(() => run(few)), await subscriptionsOf(() => run(many))];
  return (more - less) / (many - few);
}

const turns = async (count: number) => {
  const responses = Array.from({ length: count }, () => calls("a"));
  const { agent } = setUp({ responses: [...responses, answer("done")], tools: [work] });
  await agent.prompt("go");
  expect(agent.state.messages.length).toBeGreaterThan(2 * count);
};

const batch = async (count: number) => {
  const ids = Array.from({ length: count }, (_, index) => `call-${index}`);
  const { agent } = setUp({ responses: [calls(...ids), answer("done")], tools: [work] });
  await agent.prompt("go");
  expect(agent.state.messages.length).toBeGreaterThan(count);
};

const deltas = async (count: number, listener: () => unknown = () => {}) => {
  const partial = assistant("text");
  const stream$ = of(start(partial), ...Array.from({ length: count }, () => delta("x")), terminal(partial));
  const agent = new Agent({ initialState: { model }, streamFn: () => stream$ });
  let seen = 0;
  agent.subscribe(() => {
    seen++;
    return listener() as Promise<void>;
  });
  await agent.prompt("go");
  expect(seen).toBeGreaterThan(count);
};

describe("cost", () => {
  afterEach(() => void jest.restoreAllMocks());

  it("is at most 6 subscriptions a turn of one tool", async () => {
    expect(await costOfOne(10, 110, turns)).toBeLessThanOrEqual(6);
  });

  it("is 2 subscriptions a parallel call, and 2 a hundred", async () => {
    expect(await costOfOne(100, 1_100, batch)).toBeLessThanOrEqual(2.02);
  });

  it("is no subscription a delta", async () => {
    expect(await costOfOne(100, 1_100, deltas)).toBe(0);
  });

  it("is no copy of a set a call, however many there are", async () => {
    const { Set: given } = globalThis;
    let copied = 0;
    globalThis.Set = class<T> extends given<T> {
      constructor(values?: Iterable<T>) {
        super(values);
        copied += this.size;
      }
    } as SetConstructor;
    try {
      await batch(100);
      const few = copied;
      await batch(1_000);
      expect(copied - few).toBeLessThanOrEqual(11 * few);
      expect(new Set([1, 2]).size).toBe(2);
      expect(copied).toBeGreaterThan(few + 1); // one would have been seen
    } finally {
      globalThis.Set = given;
    }
  });

  it("is no wait for a synchronous listener, and one an event for one that gives a promise", async () => {
    const then = jest.spyOn(Promise.prototype, "then");
    const waits = async (listener: () => unknown, count: number) => {
      const before = then.mock.calls.length;
      await deltas(count, listener);
      return then.mock.calls.length - before;
    };
    await deltas(100);
    for (const [listener, each] of [
      [() => {}, 0],
      [() => Promise.resolve(), 1],
    ] as const) {
      expect((await waits(listener, 1_100)) - (await waits(listener, 100))).toBe(each * 1_000);
    }
  });

  it("is no listener on the run's signal, however many tools run", async () => {
    const add = jest.spyOn(AbortSignal.prototype, "addEventListener");
    await batch(100);
    expect(add).not.toHaveBeenCalled();
    new AbortController().signal.addEventListener("abort", () => {}); // one would have been seen
    expect(add).toHaveBeenCalledTimes(1);
  });

  it("is no look at the whole transcript for the tools that it declares", async () => {
    let reads = 0;
    const counted = (message: AgentMessage): AgentMessage =>
      new Proxy(message, {
        get: (target, key) => (key === "toolsAdded" && reads++, Reflect.get(target, key) as unknown),
      });
    const messages = [{ role: "system" as const, content: "Hi", timestamp: 0 }, user("one")].map(counted);
    const responses = Array.from({ length: 20 }, () => calls("a"));
    const { agent } = setUp({
      initialState: { messages },
      responses: [...responses, answer("done")],
      tools: [work],
    });
    await agent.prompt("go");
    expect(reads).toBeLessThanOrEqual(10);
  });
});
