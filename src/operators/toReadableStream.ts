import { isObservable, map, Subject, take, type Observable } from "rxjs";
import { check } from "../internal/check";
import type { AgentEvent } from "../types/event";
import type { AgentListener } from "../types/options";

/** What awaits its listeners: an `Agent`. */
export interface ListenedTo {
  subscribe: (listener: AgentListener) => () => void;
}

/** How much {@link toReadableStream} keeps for a slow reader. */
export interface BufferOptions {
  /** Most values kept. @defaultValue 1024 */
  bufferSize?: number;
  /**
   * What happens when an observable emits more: the stream fails, or the newest value is dropped.
   *
   * @remarks An agent waits instead.
   * @defaultValue `"error"`
   */
  overflow?: "error" | "drop";
}

// Keeps its values itself: what a stream has queued is lost when it errors.
function buffer<T>(size: number) {
  const kept: T[] = [];
  const pulled$ = new Subject<void>();
  let sink: ReadableStreamDefaultController<T>;
  let isWanted = false;
  let end: (() => void) | undefined;
  return {
    pulled$,
    isFull: () => kept.length >= size,
    open: (controller: ReadableStreamDefaultController<T>) => (sink = controller),
    push: (value: T) => {
      if (!isWanted) return void kept.push(value);
      isWanted = false;
      sink.enqueue(value);
    },
    pull: () => {
      if (kept.length > 0) sink.enqueue(kept.shift()!);
      else if (end) end();
      else isWanted = true;
      pulled$.next();
    },
    fail: (error: unknown) => {
      end = () => sink.error(error);
      if (isWanted) end();
    },
    close: () => {
      end = () => sink.close();
      if (isWanted) end();
    },
  };
}

type Buffer = ReturnType<typeof buffer<unknown>>;

function follow(source$: Observable<unknown>, kept: Buffer, overflow: BufferOptions["overflow"]): () => void {
  const subscription = source$
    .pipe(
      map((value) => {
        if (!kept.isFull()) kept.push(value);
        else if (overflow === "error") throw new RangeError("the reader is too slow: the buffer is full");
      }),
    )
    .subscribe({ error: kept.fail, complete: kept.close });
  return () => subscription.unsubscribe();
}

function listen(agent: ListenedTo, kept: Buffer): () => void {
  return agent.subscribe((event) => {
    kept.push(event);
    return kept.isFull() ? kept.pulled$.pipe(take(1)) : undefined;
  });
}

/**
 * A stream of the web platform, for `Response` bodies, `pipeThrough` and `for await`.
 *
 * @param source - An observable, or an agent itself.
 * @remarks An agent is slowed down: it waits, and stops reading the provider, while `bufferSize` values lie unread. An
 * observable cannot be, so what does not fit is an error or is dropped. Cancelling unsubscribes, and lets an agent go on.
 * @example
 * ```ts
 * const reader = toReadableStream(agent, { bufferSize: 16 }).getReader();
 * void agent.prompt("Hello");
 * for (let next = await reader.read(); next.value?.type !== "agent_end"; next = await reader.read()) {
 *   console.log(next.value?.type);
 * }
 * await reader.cancel();
 * ```
 */
export function toReadableStream(
  agent: ListenedTo,
  options?: Pick<BufferOptions, "bufferSize">,
): ReadableStream<AgentEvent>;
export function toReadableStream<T>(source$: Observable<T>, options?: BufferOptions): ReadableStream<T>;
export function toReadableStream(
  source: Observable<unknown> | ListenedTo,
  { bufferSize = 1024, overflow = "error" }: BufferOptions = {},
): ReadableStream<unknown> {
  check.limit("bufferSize", bufferSize);
  const kept = buffer<unknown>(bufferSize);
  let leave = () => {};
  return new ReadableStream<unknown>(
    {
      start: (controller) => {
        kept.open(controller);
        leave = isObservable(source) ? follow(source, kept, overflow) : listen(source, kept);
      },
      pull: kept.pull,
      cancel: () => {
        leave();
        kept.pulled$.next();
      },
    },
    { highWaterMark: 0 },
  );
}
