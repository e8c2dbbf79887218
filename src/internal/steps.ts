import { Observable, Subscriber } from "rxjs";

/** What a sequence waits for before it goes on: an observable to its completion, or nothing. */
export type Step<T = never> = Observable<T> | undefined;

/** A sequence of steps that comes to a result. An error of a step is thrown where it was yielded. */
export type Steps<T = never, R = void> = Generator<Step<T>, R>;

/** Passes a value on. */
export type Emit<T> = (value: T) => void;

/** What something failed with. */
export interface Failure {
  error: unknown;
}

// Without an observer object, which would cost every value a hop.
class StepSubscriber<T> extends Subscriber<T> {
  constructor(
    private readonly emit: Emit<T>,
    private readonly over: (failure?: Failure) => void,
  ) {
    super();
  }
  protected override _next(value: T) {
    this.emit(value);
  }
  protected override _error(error: unknown) {
    this.unsubscribe();
    this.over({ error });
  }
  protected override _complete() {
    this.unsubscribe();
    this.over();
  }
}

/**
 * Runs steps one after another and passes their values on.
 *
 * @remarks Like `concat`, which would subscribe to every step: a step that is done at once gives nothing and costs nothing.
 * Synchronous steps do not grow the stack. Unsubscribing leaves the current step, then the sequence. Give it a generator made
 * at the top of its file: one that is made per call has a shape of its own, which V8 runs slowly.
 */
export function steps<T>(run: (emit: Emit<T>) => Steps<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const emit = (value: T) => subscriber.next(value);
    const sequence = run(emit);
    let current: Subscriber<T> | undefined;
    let running = false;
    let failed: Failure | undefined;

    const advance = (failure?: Failure) => {
      failed = failure;
      if (running) return;
      running = true;
      try {
        while (!subscriber.closed) {
          const next: IteratorResult<Step<T>, void> = failed ? sequence.throw(failed.error) : sequence.next();
          failed = undefined;
          const step$ = next.value;
          if (next.done) subscriber.complete();
          else if (step$ && !subscriber.closed) {
            current = new StepSubscriber(emit, advance);
            step$.subscribe(current);
            if (!current.closed) break;
          }
        }
        running = false;
      } catch (error) {
        subscriber.error(error);
      }
      if (subscriber.closed) sequence.return();
    };
    advance();
    return () => {
      current?.unsubscribe();
      if (!running) sequence.return();
    };
  });
}
