import { Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { Emit, Failure, Step } from "./steps";

type Tell = NonNullable<Gate["tell"]>;

/**
 * Takes an event to everyone; calls `passed` or `failed`, once, when the last has settled, at once when nobody is waited for.
 * May throw.
 */
export type Deliver = (event: AgentEvent, passed: () => void, failed: (error: unknown) => void) => void;

interface Item {
  event: AgentEvent;
  emit: Emit<AgentEvent>;
  /** Told of a failure before any other event passes; without it, the failure is kept. */
  onFailure: ((error: unknown) => void) | undefined;
  onPassed: (() => void) | undefined;
  hasPassed: boolean;
  failure: Failure | undefined;
}

// One event: a step that is over when it has passed.
function tellBy(add: (item: Item) => void): Tell {
  return (event, emit, onFailure) => {
    // Made whole, since a field that is added later is stored apart.
    const item: Item = { event, emit, onFailure, onPassed: undefined, hasPassed: false, failure: undefined };
    add(item);
    if (item.failure) throw item.failure.error;
    if (item.hasPassed) return undefined;
    return new Observable((subscriber) => {
      const settle = () => (item.failure ? subscriber.error(item.failure.error) : subscriber.complete());
      if (item.hasPassed) settle();
      else item.onPassed = settle;
    });
  };
}

// The gate for a stream: ends when the last of its events has passed, since then all have.
function gateBy(tell: Tell) {
  return (events$: Observable<AgentEvent>) =>
    new Observable<AgentEvent>((subscriber) => {
      let last: Step;
      const emit = (event: AgentEvent) => subscriber.next(event);
      const error = (cause: unknown) => subscriber.error(cause);
      const finish = (complete: () => void) => (last ? last.subscribe({ complete }) : complete());
      return events$.subscribe({
        next: (event) => {
          last = tell(event, emit, error);
        },
        error: (cause: unknown) => finish(() => error(cause)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
}

/**
 * The gate that keeps all events of a run in one lane: one is delivered, then passed on, then the next.
 *
 * @remarks The queue is drained with a loop, since `concatMap` over buffered synchronous inners overflows. A delivery that
 * fails passes its event on first, then fails the stream that the event came from. What was told is delivered.
 */
export function lane(deliver: Deliver): Gate {
  let items: Item[] = [];
  let head = 0;
  let current: Item | undefined;
  let delivering = false;
  let onFree: (() => void) | undefined;

  const end = (failure?: Failure) => {
    const item = current!;
    item.emit(item.event);
    if (failure && item.onFailure) item.onFailure(failure.error);
    else item.failure = failure;
    item.hasPassed = true;
    item.onPassed?.();
    current = undefined;
    if (!delivering) drain();
  };
  const passed = () => end();
  const failed = (error: unknown) => end({ error });
  const start = (item: Item) => {
    current = item;
    delivering = true;
    try {
      deliver(item.event, passed, failed);
    } catch (error) {
      if (current !== item) throw error;
      failed(error);
    }
    delivering = false;
  };
  const drain = () => {
    while (!current && head < items.length) start(items[head++]!);
    if (current) return;
    if (head > 0) items = [];
    head = 0;
    const free = onFree;
    onFree = undefined;
    free?.();
  };
  const add = (item: Item) => {
    if (current) return void items.push(item);
    start(item);
    if (!current) drain();
  };
  const tell = tellBy(add);
  return Object.assign(gateBy(tell), {
    busy: (call: () => void) => {
      if (!current) return false;
      const others = onFree;
      onFree = others
        ? () => {
            others();
            call();
          }
        : call;
      return true;
    },
    tell,
  });
}
