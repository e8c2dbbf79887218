import { describe, expect, it, jest } from "@jest/globals";
import { lastValueFrom, take, toArray } from "rxjs";
import { fromStream } from "../../src/internal/fromStream";
import { runControl } from "../../src/internal/runControl";
import { nothingStray, settled } from "../support/nothingStray";

async function* count(to: number) {
  for (let n = 1; n <= to; n++) yield n;
}

/** An iterator that records what is asked of it. */
function spied(next: () => Promise<IteratorResult<number>>, end?: () => Promise<never>) {
  const iterator = { next: jest.fn(next), return: jest.fn(end ?? (() => Promise.resolve({ done: true }))) };
  const iterable = { [Symbol.asyncIterator]: () => iterator } as unknown as AsyncIterable<number>;
  return { iterator, iterable };
}

describe("fromStream", () => {
  nothingStray();

  it("gives none, one and many", async () => {
    for (const length of [0, 1, 5]) {
      const values = await lastValueFrom(fromStream(count(length)).pipe(toArray()));
      expect(values).toEqual([1, 2, 3, 4, 5].slice(0, length));
    }
  });

  it("fails as the source fails", async () => {
    const rejected = spied(() => Promise.reject(new Error("read")));
    await expect(lastValueFrom(fromStream(rejected.iterable))).rejects.toThrow("read");
    const thrown = spied(() => {
      throw new Error("next");
    });
    await expect(lastValueFrom(fromStream(thrown.iterable))).rejects.toThrow("next");
    const unopened: AsyncIterable<number> = {
      [Symbol.asyncIterator]() {
        throw new Error("open");
      },
    };
    await expect(lastValueFrom(fromStream(unopened))).rejects.toThrow("open");
  });

  it("asks for one item at a time", async () => {
    const answer: ((item: IteratorResult<number>) => void)[] = [];
    const { iterator, iterable } = spied(() => new Promise((resolve) => answer.push(resolve)));
    const subscription = fromStream(iterable).subscribe();
    expect(iterator.next).toHaveBeenCalledTimes(1);
    await settled();
    expect(iterator.next).toHaveBeenCalledTimes(1);
    answer[0]!({ done: false, value: 1 });
    await settled();
    expect(iterator.next).toHaveBeenCalledTimes(2);
    subscription.unsubscribe();
  });

  it("waits for a busy gate before it asks again", async () => {
    let free = () => {};
    const busy = (onFree: () => void) => (free = onFree) !== undefined;
    let items = 0;
    const { iterator, iterable } = spied(() => Promise.resolve({ done: ++items > 2, value: items }));
    const all = lastValueFrom(fromStream(iterable, { gate: { busy } }).pipe(toArray()));
    await settled();
    expect(iterator.next).toHaveBeenCalledTimes(1);
    free();
    await settled();
    expect(iterator.next).toHaveBeenCalledTimes(2);
    free();
    await expect(all).resolves.toEqual([1, 2]);
    expect(iterator.next).toHaveBeenCalledTimes(3);
  });

  it("asks no more once it was left behind a busy gate", async () => {
    let free = () => {};
    const busy = (onFree: () => void) => (free = onFree) !== undefined;
    const { iterator, iterable } = spied(() => Promise.resolve({ done: false, value: 1 }));
    const subscription = fromStream(iterable, { gate: { busy } }).subscribe();
    await settled();
    subscription.unsubscribe();
    free();
    await settled();
    expect(iterator.next).toHaveBeenCalledTimes(1);
    expect(iterator.return).toHaveBeenCalledTimes(1);
  });

  it("runs the finally of a generator that is left early", async () => {
    const ended = jest.fn();
    async function* source() {
      try {
        yield 1;
        yield 2;
      } finally {
        ended();
      }
    }
    await expect(lastValueFrom(fromStream(source()).pipe(take(1)))).resolves.toBe(1);
    await settled();
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it("does not tell a source to return that has ended or failed", async () => {
    const done = spied(() => Promise.resolve({ done: true, value: undefined }));
    await lastValueFrom(fromStream(done.iterable), { defaultValue: 0 });
    const failed = spied(() => Promise.reject(new Error("read")));
    await expect(lastValueFrom(fromStream(failed.iterable))).rejects.toThrow("read");
    expect(done.iterator.return).not.toHaveBeenCalled();
    expect(failed.iterator.return).not.toHaveBeenCalled();
  });

  it("leaves a stalled generator behind, whatever it does later", async () => {
    let fail = (_error: Error) => {};
    async function* stalled(): AsyncGenerator<number> {
      await new Promise((_, reject) => (fail = reject));
      yield 1;
    }
    const next = jest.fn();
    fromStream(stalled()).subscribe({ next, error: next }).unsubscribe();
    await settled();
    fail(new Error("late"));
    await settled();
    expect(next).not.toHaveBeenCalled();
  });

  it("swallows a return that rejects", async () => {
    const { iterable, iterator } = spied(
      () => Promise.resolve({ done: false, value: 1 }),
      () => Promise.reject(new Error("return")),
    );
    await lastValueFrom(fromStream(iterable).pipe(take(1)));
    expect(iterator.return).toHaveBeenCalledTimes(1);
  });

  it("swallows a return that throws", async () => {
    const { iterable } = spied(
      () => Promise.resolve({ done: false, value: 1 }),
      () => {
        throw new Error("return");
      },
    );
    await expect(lastValueFrom(fromStream(iterable).pipe(take(1)))).resolves.toBe(1);
    const subscription = fromStream(iterable).subscribe();
    expect(() => subscription.unsubscribe()).not.toThrow();
  });

  it("does without a return", async () => {
    const next = () => Promise.resolve({ done: false as const, value: 1 });
    const iterable: AsyncIterable<number> = { [Symbol.asyncIterator]: () => ({ next }) };
    await expect(lastValueFrom(fromStream(iterable).pipe(take(1)))).resolves.toBe(1);
  });

  it("stays flat over 20,000 items", async () => {
    await expect(lastValueFrom(fromStream(count(20_000)))).resolves.toBe(20_000);
  });

  it("leaves the stream at its end, which it does not pass on", async () => {
    const left = jest.fn();
    const source = (async function* () {
      try {
        yield* [1, 2, 3];
      } finally {
        left();
      }
    })();
    const read$ = fromStream(source, { isEnd: (value) => value === 3 });
    await expect(lastValueFrom(read$.pipe(toArray()))).resolves.toEqual([1, 2]);
    await Promise.resolve();
    expect(left).toHaveBeenCalledTimes(1);
  });

  it("leaves a stalled stream at the deadline", async () => {
    const stalled = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const control = runControl(0);
    const read$ = fromStream(stalled, { control });
    control.abort();
    await expect(lastValueFrom(read$, { defaultValue: "left" })).resolves.toBe("left");
  });
});
