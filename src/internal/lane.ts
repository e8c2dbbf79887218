import { AsyncSubject, Observable, Subject } from "rxjs";
import type { AgentEvent } from "../types/event";
import type { Gate } from "../types/gate";

/** Takes an event to everyone; undefined when nobody is waited for, else completes or fails when the last has settled. May throw. */
export type Deliver = (event: AgentEvent) => Observable<never> | undefined;

interface Failure {
  error: unknown;
}

interface Item {
  event: AgentEvent;
  /** The event has passed; with a failure, what it came from fails. */
  passed: (event: AgentEvent, failure?: Failure) => void;
}

// The gate for a stream: completes when the last of its events has passed.
function gateBy(add: (item: Item) => boolean) {
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
function tellBy(add: (item: Item) => boolean): Gate["tell"] {
  return (event, emit, onFailure) => {
    const passed$ = new AsyncSubject<never>();
    let failed = false;
    const fail = (error: unknown) => {
      failed = true;
      passed$.error(error);
    };
    const passed: Item["passed"] = (_, failure) => {
      emit(event);
      if (failure) (onFailure ?? fail)(failure.error);
      passed$.complete();
    };
    return add({ event, passed }) && !failed ? undefined : passed$;
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
  let busy = false;
  let free$: Subject<never> | undefined;

  // True when the event has passed, false while somebody is waited for.
  const step = ({ event, passed }: Item): boolean => {
    let told$: Observable<never> | undefined;
    let failure: Failure | undefined;
    try {
      told$ = deliver(event);
    } catch (error) {
      failure = { error };
    }
    if (!told$) {
      passed(event, failure);
      return true;
    }
    let done = false;
    let later = false;
    const pass = (failed?: Failure) => {
      done = true;
      passed(event, failed);
      if (later) drain();
    };
    told$.subscribe({ complete: pass, error: (error: unknown) => pass({ error }) });
    later = true;
    return done;
  };
  const drain = () => {
    while (head < items.length) if (!step(items[head++]!)) return;
    items = [];
    head = 0;
    busy = false;
    const released$ = free$;
    free$ = undefined;
    released$?.complete();
  };
  const add = (item: Item): boolean => {
    if (busy) {
      items.push(item);
      return false;
    }
    busy = true;
    const done = step(item);
    if (done) drain();
    return done;
  };
  return Object.assign(gateBy(add), {
    busy: () => (busy ? (free$ ??= new Subject<never>()) : undefined),
    tell: tellBy(add),
  });
}
