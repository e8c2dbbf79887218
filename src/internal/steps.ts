import { Observable, Subscriber } from "rxjs";

/** What a sequence waits for before it goes on: an observable to its completion, or nothing. */
export type Step<T = never> = Observable<T> | undefined;

/** A sequence of steps that comes to a result. An error of a step is thrown where it was yielded. */
export type Steps<T = never, R = void> = Generator<Step<T>, R>;

/** Passes a value on. */
export type Emit<T> = (value: T) => void;

/**
 * Runs steps one after another and passes their values on.
 *
 * @remarks Like `concat`, which would subscribe to every step: a step that is done at once gives nothing and costs nothing.
 * Synchronous steps do not grow the stack. Unsubscribing leaves the current step, then the sequence.
 */
export function steps<T>(run: (emit: Emit<T>) => Steps<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    const emit = (value: T) => subscriber.next(value);
    const sequence = run(emit);
    let current: Subscriber<T> | undefined;
    let running = false;
    let failure: { error: unknown } | undefined;

    const next = () => {
      const failed = failure;
      failure = undefined;
      return failed ? sequence.throw(failed.error) : sequence.next();
    };
    // True when the step is over.
    const take = (step$: Observable<T>): boolean => {
      const inner = new Subscriber<T>({
        next: emit,
        error: (error: unknown) => {
          failure = { error };
          inner.unsubscribe();
          advance();
        },
        complete: () => {
          inner.unsubscribe();
          advance();
        },
      });
      current = inner;
      step$.subscribe(inner);
      return inner.closed;
    };
    const advance = () => {
      if (running) return;
      running = true;
      try {
        while (!subscriber.closed) {
          const { value: step$, done } = next();
          if (done) subscriber.complete();
          else if (step$ && !subscriber.closed && !take(step$)) break;
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
