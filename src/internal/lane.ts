import { Observable, type Subscriber } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";
import type { Failure } from "./steps";

/** Takes an event to everyone; calls `done`, once, when the last has settled, at once when nobody is waited for. May throw. */
export type Deliver = (event: AgentEvent, done: (failure?: Failure) => void) => void;

interface Item {
  event: AgentEvent;
  /** The event has passed; with a failure, what it came from fails. */
  passed: (event: AgentEvent, failure?: Failure) => void;
}

// The gate for a stream: completes when the last of its events has passed.
function gateBy(add: (item: Item) => void) {
  return (events$: Observable<AgentEvent>) =>
    new Observable<AgentEvent>((subscriber) => {
      let waiting = 0;
      let end: (() => void) | undefined;
      const passed: Item["passed"] = (event, failure) => {
        subscriber.next(event);
        if (failure) subscriber.error(failure.error);
        if (--waiting === 0) end?.();
      };
      const finish = (close: () => void) => {
        end = close;
        if (waiting === 0) close();
      };
      return events$.subscribe({
        next: (event) => {
          waiting++;
          add({ event, passed });
        },
        error: (error: unknown) => finish(() => subscriber.error(error)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
}

// One event: a step that is over when it has passed.
function tellBy(add: (item: Item) => void): NonNullable<Gate["tell"]> {
  return (told, emit, onFailure) => {
    let over = false;
    let failed: Failure | undefined;
    let waiting: Subscriber<never> | undefined;
    const passed: Item["passed"] = (event, failure) => {
      emit(event);
      if (failure && onFailure) onFailure(failure.error);
      else failed = failure;
      over = true;
      if (waiting) settle(waiting);
    };
    const settle = (subscriber: Subscriber<never>) =>
      failed ? subscriber.error(failed.error) : subscriber.complete();
    add({ event: told, passed });
    if (!over) return new Observable((subscriber) => (over ? settle(subscriber) : void (waiting = subscriber)));
    if (failed) throw (failed as Failure).error;
    return undefined;
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
    const { event, passed } = current!;
    passed(event, failure);
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
