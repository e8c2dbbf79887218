import { Observable, Subject, type Subscriber } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";

/** Takes an event to everyone; undefined when nobody is waited for, else completes or fails when the last has settled. */
export type Deliver = (event: AgentEvent) => Observable<never> | undefined;

interface Item {
  event: AgentEvent;
  subscriber: Subscriber<AgentEvent>;
  passed: () => void;
}

function createQueue(deliver: Deliver) {
  let items: Item[] = [];
  let head = 0;
  let draining = false;
  let free$: Subject<never> | undefined;

  // True when the event has passed, false while somebody is waited for.
  const step = ({ event, subscriber, passed }: Item): boolean => {
    const told$ = deliver(event);
    let done = false;
    let later = false;
    const pass = (fail?: () => void) => {
      done = true;
      subscriber.next(event);
      fail?.();
      passed();
      if (later) drain();
    };
    if (told$) {
      told$.subscribe({
        complete: pass,
        error: (error: unknown) => pass(() => subscriber.error(error)),
      });
    } else pass();
    later = true;
    return done;
  };
  const drain = () => {
    draining = true;
    while (head < items.length) {
      const item = items[head++]!;
      if (!item.subscriber.closed && !step(item)) return;
    }
    items = [];
    head = 0;
    draining = false;
    const released$ = free$;
    free$ = undefined;
    released$?.complete();
  };
  return {
    add(item: Item): void {
      items.push(item);
      if (!draining) drain();
    },
    busy: () => (draining ? (free$ ??= new Subject<never>()) : undefined),
  };
}

/**
 * The gate that keeps all events of a run in one lane: one is delivered, then passed on, then the next.
 *
 * @remarks The queue is drained with a loop, since `concatMap` over buffered synchronous inners overflows. A delivery that
 * fails passes its event on first, then fails the stream that the event came from. Unsubscribing drops what still waits.
 */
export function lane(deliver: Deliver): Gate {
  const queue = createQueue(deliver);
  const gate = (events$: Observable<AgentEvent>) =>
    new Observable<AgentEvent>((subscriber) => {
      let waiting = 0;
      let end: (() => void) | undefined;
      const passed = () => {
        if (--waiting === 0) end?.();
      };
      const finish = (close: () => void) => {
        end = close;
        if (waiting === 0) close();
      };
      return events$.subscribe({
        next: (event) => {
          waiting++;
          queue.add({ event, subscriber, passed });
        },
        error: (error: unknown) => finish(() => subscriber.error(error)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
  return Object.assign(gate, { busy: queue.busy });
}
