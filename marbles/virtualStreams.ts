import { Observable, type Subscription } from "rxjs";

type Result = { done: boolean; value?: unknown };
type Tell = (result: Result) => unknown;
type Fail = (error: unknown) => unknown;

/** Walks like a promise that has settled, and tells it at once. */
function settled<T>(value: T) {
  const after = { then: () => after, catch: () => after };
  const then = (tell: (value: T) => unknown) => {
    tell(value);
    return after;
  };
  return { ...after, then };
}

/** Reads an observable piece by piece, as a stream's reader and as an async iterator do, without a promise. */
class VirtualReader {
  readonly #results: Result[] = [];
  readonly #subscription: Subscription;
  #waiting: { tell: Tell; fail: Fail } | undefined;
  #failure: { error: unknown } | undefined;

  constructor(source$: Observable<unknown>) {
    this.#subscription = source$.subscribe({
      next: (value) => this.#add({ done: false, value }),
      error: (error: unknown) => {
        this.#failure = { error };
        this.#serve();
      },
      complete: () => this.#add({ done: true }),
    });
  }

  read() {
    const then = (tell: Tell, fail: Fail) => {
      this.#waiting = { tell, fail };
      this.#serve();
      return settled(undefined);
    };
    return { then };
  }

  next() {
    return this.read();
  }

  cancel() {
    this.#subscription.unsubscribe();
    return settled(undefined);
  }

  return() {
    this.cancel();
  }

  #add(result: Result): void {
    this.#results.push(result);
    this.#serve();
  }

  #serve(): void {
    if (!this.#waiting || (this.#results.length === 0 && !this.#failure)) return;
    const { tell, fail } = this.#waiting;
    this.#waiting = undefined;
    const result = this.#results.shift();
    if (result) tell(result);
    else fail(this.#failure!.error);
  }
}

interface Source {
  pull: (controller: object) => void;
  cancel: () => void;
}

/** A stream of bytes as the platform makes it, with no queue of its own, read at given times. */
class VirtualStream {
  constructor(private readonly source: Source) {}

  /** Asks for a chunk at each value of `reads$`; when those end, the reader hangs up. */
  read(reads$: Observable<unknown>): Observable<Uint8Array> {
    return new Observable((subscriber) => {
      let asked = 0;
      const ask = () => {
        if (asked > 0) this.source.pull(controller);
      };
      const controller = {
        enqueue: (chunk: Uint8Array) => {
          asked--;
          subscriber.next(chunk);
          ask();
        },
        close: () => subscriber.complete(),
        error: (error: unknown) => subscriber.error(error),
      };
      return reads$.subscribe({
        next: () => {
          if (asked++ === 0) ask();
        },
        complete: () => this.source.cancel(),
      });
    });
  }
}

/** Lets something stand in for a global while a function runs. */
function withGlobal<T>(stand: Record<string, unknown>, run: () => T): T {
  const globals = globalThis as unknown as Record<string, unknown>;
  const before = Object.keys(stand).map((name) => [name, globals[name]] as const);
  Object.assign(globals, stand);
  try {
    return run();
  } finally {
    Object.assign(globals, Object.fromEntries(before));
  }
}

/** Streams of the platform in virtual time, where no promise settles. */
export const virtualStreams = { settled, VirtualReader, VirtualStream, withGlobal };
