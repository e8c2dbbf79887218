import { asyncScheduler, Observable, timer, type Subscriber, type Subscription } from "rxjs";
import { check } from "../internal/check";

/** What may be spent. */
export interface RateBudgetOptions {
  /** @defaultValue no limit */
  requestsPerMinute?: number;
  /** Tokens of responses, prompts included. @defaultValue no limit */
  tokensPerMinute?: number;
}

interface Spent {
  at: number;
  amount: number;
}

const MINUTE = 60_000;

/** When what was spent in the last minute falls below a limit: ms from now. */
function waitFor(spent: Spent[], limit: number, now: number): number {
  while (spent[0] && spent[0].at + MINUTE <= now) spent.shift();
  let total = spent.reduce((sum, { amount }) => sum + amount, 0);
  let wait = 0;
  for (const { at, amount } of spent) {
    if (total < limit) break;
    total -= amount;
    wait = at + MINUTE - now;
  }
  return wait;
}

/** A budget of requests and tokens a minute that many agents share. Who waits is served in order. */
export class RateBudget {
  readonly #limits: RateBudgetOptions;
  readonly #requests: Spent[] = [];
  readonly #tokens: Spent[] = [];
  readonly #waiting = new Set<Subscriber<void>>();
  #timer: Subscription | undefined;

  constructor(limits: RateBudgetOptions) {
    check.limit("requestsPerMinute", limits.requestsPerMinute);
    check.limit("tokensPerMinute", limits.tokensPerMinute);
    this.#limits = limits;
  }

  /** Emits once, when a request may be made; that request is then spent. */
  request(): Observable<void> {
    return new Observable<void>((subscriber) => {
      this.#waiting.add(subscriber);
      this.#serve();
      return () => {
        this.#waiting.delete(subscriber);
        this.#serve();
      };
    });
  }

  /** Tells what a response used. */
  spend(tokens: number): void {
    this.#tokens.push({ at: asyncScheduler.now(), amount: tokens });
  }

  #serve(): void {
    this.#wake();
    for (const subscriber of this.#waiting) {
      const now = asyncScheduler.now();
      const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = this.#limits;
      const wait = Math.max(
        waitFor(this.#requests, requestsPerMinute, now),
        waitFor(this.#tokens, tokensPerMinute, now),
      );
      if (wait > 0) return this.#wake(wait);
      this.#waiting.delete(subscriber);
      this.#requests.push({ at: now, amount: 1 });
      subscriber.next();
      subscriber.complete();
    }
  }

  #wake(ms?: number): void {
    this.#timer?.unsubscribe();
    this.#timer = ms === undefined ? undefined : timer(ms).subscribe(() => this.#serve());
  }
}
