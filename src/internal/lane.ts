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

class Queue {
  #items: Item[] = [];
  #head = 0;
  #draining = false;
  #free$: Subject<never> | undefined;
  readonly #deliver: Deliver;

  constructor(deliver: Deliver) {
    this.#deliver = deliver;
  }

  get busy(): Observable<never> | undefined {
    return this.#draining ? (this.#free$ ??= new Subject<never>()) : undefined;
  }

  add(item: Item): void {
    this.#items.push(item);
    if (!this.#draining) this.#drain();
  }

  #drain(): void {
    this.#draining = true;
    while (this.#head < this.#items.length) {
      const item = this.#items[this.#head++]!;
      if (!item.subscriber.closed && !this.#step(item)) return;
    }
    this.#items = [];
    this.#head = 0;
    this.#draining = false;
    const free$ = this.#free$;
    this.#free$ = undefined;
    free$?.complete();
  }

  // True when the event has passed, false while somebody is waited for.
  #step(item: Item): boolean {
    const told$ = this.#deliver(item.event);
    let passed = false;
    let later = false;
    const pass = (error?: { error: unknown }) => {
      passed = true;
      item.subscriber.next(item.event);
      if (error) item.subscriber.error(error.error);
      item.passed();
      if (later) this.#drain();
    };
    if (told$) told$.subscribe({ complete: () => pass(), error: (error: unknown) => pass({ error }) });
    else pass();
    later = true;
    return passed;
  }
}

/**
 * The gate that keeps all events of a run in one lane: one is delivered, then passed on, then the next.
 *
 * @remarks The queue is drained with a loop, since `concatMap` over buffered synchronous inners overflows. A delivery that
 * fails passes its event on first, then fails the stream that the event came from. Unsubscribing drops what still waits.
 */
export function lane(deliver: Deliver): Gate {
  const queue = new Queue(deliver);
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
  return Object.assign(gate, { busy: () => queue.busy });
}
