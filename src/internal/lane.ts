import { Observable } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { Emit, Failure } from "./steps";

/** Takes an event to everyone; calls `done`, once, when the last has settled, at once when nobody is waited for. May throw. */
export type Deliver = (event: AgentEvent, done: (failure?: Failure) => void) => void;

interface Item {
  event: AgentEvent;
  emit: Emit<AgentEvent>;
  /** Told of a failure before any other event passes; without it, the failure is kept. */
  onFailure: ((error: unknown) => void) | undefined;
  onPassed: (() => void) | undefined;
  hasPassed: boolean;
  failure: Failure | undefined;
}

// Made whole, since a field that is added later is stored apart.
const itemOf = (
  event: AgentEvent,
  emit: Item["emit"],
  onFailure: Item["onFailure"],
  onPassed?: Item["onPassed"],
): Item => ({ event, emit, onFailure, onPassed, hasPassed: false, failure: undefined });

// The gate for a stream: completes when the last of its events has passed.
function gateBy(add: (item: Item) => void) {
  return (events$: Observable<AgentEvent>) =>
    new Observable<AgentEvent>((subscriber) => {
      let waiting = 0;
      let end: (() => void) | undefined;
      const emit = (event: AgentEvent) => subscriber.next(event);
      const onFailure = (error: unknown) => subscriber.error(error);
      const onPassed = () => {
        if (--waiting === 0) end?.();
      };
      const finish = (close: () => void) => {
        end = close;
        if (waiting === 0) close();
      };
      return events$.subscribe({
        next: (event) => {
          waiting++;
          add(itemOf(event, emit, onFailure, onPassed));
        },
        error: (error: unknown) => finish(() => onFailure(error)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
}

// One event: a step that is over when it has passed.
function tellBy(add: (item: Item) => void): NonNullable<Gate["tell"]> {
  return (event, emit, onFailure) => {
    const item = itemOf(event, emit, onFailure);
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
  let onFree: (() => void)[] = [];

  const done = (failure?: Failure) => {
    const item = current!;
    item.emit(item.event);
    if (failure && item.onFailure) item.onFailure(failure.error);
    else item.failure = failure;
    item.hasPassed = true;
    item.onPassed?.();
    current = undefined;
    if (!delivering) drain();
  };
  const start = (item: Item) => {
    current = item;
    delivering = true;
    try {
      deliver(item.event, done);
    } catch (error) {
      if (current !== item) throw error;
      done({ error });
    }
    delivering = false;
  };
  const drain = () => {
    while (!current && head < items.length) start(items[head++]!);
    if (current) return;
    if (head > 0) items = [];
    head = 0;
    const free = onFree;
    if (free.length > 0) onFree = [];
    for (const call of free) call();
  };
  const add = (item: Item) => {
    if (current) return void items.push(item);
    start(item);
    if (!current) drain();
  };
  return Object.assign(gateBy(add), {
    busy: (call: () => void) => current !== undefined && onFree.push(call) > 0,
    tell: tellBy(add),
  });
}
