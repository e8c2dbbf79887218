import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { toReadableStream } from "pi-agent-rx/operators";
import { concat, of, range, Subject, tap, throwError } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { answers } from "../support/providerEvents";

async function drain<T>(stream: ReadableStream<T>): Promise<T[]> {
  const values: T[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) values.push(next.value);
  return values;
}

describe("toReadableStream", () => {
  it("gives all values, then ends", async () => {
    expect(await drain(toReadableStream(range(1, 5)))).toEqual([1, 2, 3, 4, 5]);
    expect(await drain(toReadableStream(of<number>()))).toEqual([]);
  });

  it("gives what came before an error, then the error", async () => {
    const reader = toReadableStream(
      concat(
        of(1, 2),
        throwError(() => new Error("broken")),
      ),
    ).getReader();
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    expect(await reader.read()).toEqual({ done: false, value: 2 });
    await expect(reader.read()).rejects.toThrow("broken");
  });

  it("gives a value to a reader that waits", async () => {
    const source$ = new Subject<number>();
    const reader = toReadableStream(source$).getReader();
    const [one, two] = [reader.read(), reader.read()];
    source$.next(1);
    source$.next(2);
    source$.complete();
    expect([await one, await two].map(({ value }) => value)).toEqual([1, 2]);
    expect((await reader.read()).done).toBe(true);
  });

  it("fails when the reader is too slow, after what it has kept", async () => {
    const reader = toReadableStream(range(1, 9), { bufferSize: 2 }).getReader();
    expect((await reader.read()).value).toBe(1);
    expect((await reader.read()).value).toBe(2);
    await expect(reader.read()).rejects.toThrow("the buffer is full");
  });

  it("drops what does not fit when told to", async () => {
    expect(await drain(toReadableStream(range(1, 9), { bufferSize: 2, overflow: "drop" }))).toEqual([1, 2]);
  });

  it("unsubscribes when cancelled", async () => {
    const source$ = new Subject<number>();
    const reader = toReadableStream(source$).getReader();
    await reader.cancel();
    expect(source$.observed).toBe(false);
  });

  it("makes an agent wait for a slow reader, the provider too", async () => {
    let pulled = 0;
    const streamFn = answers(assistant("hi"));
    const agent = new Agent({
      initialState: { model },
      streamFn: () => streamFn().pipe(tap(() => pulled++)),
    });
    const seen: string[] = [];
    agent.events$.subscribe(({ type }) => seen.push(type));
    const reader = toReadableStream(agent, { bufferSize: 1 }).getReader();
    const run = agent.prompt("x");
    expect((await reader.read()).value).toEqual({ type: "agent_start" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen).toEqual(["agent_start"]);
    expect(pulled).toBe(0);
    const read = ["agent_start"];
    while (read.at(-1) !== "agent_end") read.push((await reader.read()).value!.type);
    await run;
    expect(read).toEqual(seen);
  });

  it("lets an agent go on when cancelled", async () => {
    const agent = new Agent({ initialState: { model }, streamFn: answers(assistant("hi")) });
    const reader = toReadableStream(agent, { bufferSize: 1 }).getReader();
    const run = agent.prompt("x");
    await reader.read();
    await reader.cancel();
    await run;
    expect(agent.state.messages).toHaveLength(2);
  });

  it("names what it expects", () => {
    expect(() => toReadableStream(of(1), { bufferSize: 0 })).toThrow("bufferSize: expected an integer ≥ 1");
  });
});
