import { Observable, Subject, type Subscriber } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";

/** Takes an event to everyone; undefined when nobody is waited for, else completes or fails when the last has settled. */
export type Deliver = (event: AgentEvent) => Observable<never> | undefined;

interface Waiting {
  event: AgentEvent;
  subscriber: Subscriber<AgentEvent>;
  passed: () => void;
}

/**
 * The gate that keeps all events of a run in one lane: one is delivered, then passed on, then the next.
 *
 * @remarks The queue is drained with a loop, since `concatMap` over buffered synchronous inners overflows. A delivery that
 * fails passes its event on first, then fails the stream that the event came from. Unsubscribing drops what still waits.
 */
export function lane(deliver: Deliver): Gate {
  let queue: Waiting[] = [];
  let head = 0;
  let draining = false;
  let free$: Subject<never> | undefined;

  const pass = ({ event, subscriber, passed }: Waiting, error?: { error: unknown }) => {
    subscriber.next(event);
    if (error) subscriber.error(error.error);
    passed();
  };
  const release = () => {
    const released$ = free$;
    free$ = undefined;
    released$?.complete();
  };
  // True when the event has passed, false while somebody is waited for.
  const step = (item: Waiting): boolean => {
    const told$ = deliver(item.event);
    if (!told$) {
      pass(item);
      return true;
    }
    let sync = true;
    let settled = false;
    const settle = (error?: { error: unknown }) => {
      settled = true;
      pass(item, error);
      if (!sync) drain();
    };
    told$.subscribe({ complete: () => settle(), error: (error: unknown) => settle({ error }) });
    sync = false;
    return settled;
  };
  const drain = () => {
    draining = true;
    while (head < queue.length) {
      const item = queue[head++]!;
      if (!item.subscriber.closed && !step(item)) return;
    }
    queue = [];
    head = 0;
    draining = false;
    release();
  };

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
          queue.push({ event, subscriber, passed });
          if (!draining) drain();
        },
        error: (error: unknown) => finish(() => subscriber.error(error)),
        complete: () => finish(() => subscriber.complete()),
      });
    });
  return Object.assign(gate, {
    busy: () => (draining ? (free$ ??= new Subject<never>()) : undefined),
  });
}
