import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { toAsyncIterable } from "pi-agent-rx/operators";
import { concat, NEVER, of, range, Subject, throwError } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { answers, start } from "../support/providerEvents";

describe("toAsyncIterable", () => {
  it("gives all values in order, to each loop anew", async () => {
    const values$ = toAsyncIterable(range(1, 3));
    for (let loop = 0; loop < 2; loop++) {
      const seen: number[] = [];
      for await (const value of values$) seen.push(value);
      expect(seen).toEqual([1, 2, 3]);
    }
  });

  it("throws the observable's error after what came before it", async () => {
    const seen: number[] = [];
    const loop = async () => {
      for await (const value of toAsyncIterable(
        concat(
          of(1, 2),
          throwError(() => new Error("broken")),
        ),
      )) {
        seen.push(value);
      }
    };
    await expect(loop()).rejects.toThrow("broken");
    expect(seen).toEqual([1, 2]);
  });

  it("unsubscribes when the loop is left early", async () => {
    const source$ = new Subject<number>();
    for await (const value of toAsyncIterable(concat(of(1), source$))) {
      expect(value).toBe(1);
      expect(source$.observed).toBe(true);
      break;
    }
    expect(source$.observed).toBe(false);
  });

  it("ends a next that waits when it is told to return", async () => {
    const iterator = toAsyncIterable(NEVER)[Symbol.asyncIterator]();
    const waiting = iterator.next();
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it("keeps no more than its buffer holds", async () => {
    const iterator = toAsyncIterable(range(1, 9), { bufferSize: 1 })[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe(1);
    await expect(iterator.next()).rejects.toThrow("the buffer is full");
    expect(await iterator.return?.().then(undefined, (error: Error) => error.message)).toContain(
      "buffer is full",
    );
  });

  it("reads a run of an agent, and aborts it when left", async () => {
    const agent = new Agent({ initialState: { model }, streamFn: answers(assistant("hi")) });
    const types: string[] = [];
    for await (const { type } of toAsyncIterable(agent.prompt$("x"))) types.push(type);
    expect(types.at(-1)).toBe("agent_end");
    agent.streamFunction = () => concat(of(start()), NEVER);
    agent.abortGraceMs = 0;
    for await (const value of toAsyncIterable(agent.prompt$("x"))) {
      if (value.type === "message_start" && value.message.role === "assistant") break;
    }
    await agent.waitForIdle();
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
  });

  it("makes an agent wait for a slow loop, and lets it go on when left", async () => {
    const agent = new Agent({ initialState: { model }, streamFn: answers(assistant("hi")) });
    const passed: string[] = [];
    agent.events$.subscribe(({ type }) => passed.push(type));
    const read: string[] = [];
    const events = toAsyncIterable(agent, { bufferSize: 1 })[Symbol.asyncIterator]();
    const first = events.next();
    const run = agent.prompt("x");
    read.push((await first).value.type);
    while (read.at(-1) !== "message_start") {
      await new Promise((resolve) => setTimeout(resolve));
      expect(passed.length).toBeLessThanOrEqual(read.length + 1);
      read.push((await events.next()).value.type);
    }
    expect(await events.return?.()).toMatchObject({ done: true });
    await run;
    expect(read).toEqual(passed.slice(0, read.length));
    expect(passed.at(-1)).toBe("agent_end");
  });
});
