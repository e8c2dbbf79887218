import { isThenable } from "../internal/isThenable";

type Outcome<T> = { value: T } | { error: unknown };

/** Walks like a promise, but tells its outcome synchronously, so that it settles within a frame of virtual time. */
export class SyncPromise<T> implements PromiseLike<T> {
  readonly #waiting: (() => void)[] = [];
  #outcome: Outcome<T> | undefined;

  /** The first outcome counts; a thenable is adopted. */
  resolve(value: T | PromiseLike<T>): void {
    if (isThenable(value))
      value.then(
        (settled) => this.#settle({ value: settled }),
        (error: unknown) => this.reject(error),
      );
    else this.#settle({ value: value });
  }

  reject(error: unknown): void {
    this.#settle({ error });
  }

  then<A = T, B = never>(
    resolved?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): PromiseLike<A | B> {
    const next = new SyncPromise<A | B>();
    const tell = () => {
      const outcome = this.#outcome!;
      try {
        if ("value" in outcome) next.resolve(resolved ? resolved(outcome.value) : (outcome.value as never));
        else if (rejected) next.resolve(rejected(outcome.error));
        else next.reject(outcome.error);
      } catch (error) {
        next.reject(error);
      }
    };
    if (this.#outcome) tell();
    else this.#waiting.push(tell);
    return next;
  }

  #settle(outcome: Outcome<T>): void {
    if (this.#outcome) return;
    this.#outcome = outcome;
    this.#waiting.splice(0).forEach((tell) => tell());
  }
}
