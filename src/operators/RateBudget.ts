import { asyncScheduler, Observable, timer, type Subscriber, type Subscription } from "rxjs";
import { check } from "../internal/check";

/** What may be spent. */
export interface RateBudgetOptions {
  /** @defaultValue no limit */
  requestsPerMinute?: number;
  /** Tokens of responses, prompts included. @defaultValue no limit */
  tokensPerMinute?: number;
}

/** Ends a request: what it used, or nothing when that is not known. */
export type Settle = (tokens?: number) => void;

interface Spent {
  amount: number;
  /** When it was spent; nothing while it is only expected. */
  at?: number;
}

interface Waiting {
  subscriber: Subscriber<Settle>;
  tokens: number;
}

const MINUTE = 60_000;

/** In how many ms there is room for so much beside what was spent in the last minute; what is spent by nobody has room. */
function waitFor(spent: Set<Spent>, amount: number, limit: number, now: number): number {
  for (const one of spent) if (one.at !== undefined && one.at + MINUTE <= now) spent.delete(one);
  let total = amount;
  for (const one of spent) total += one.amount;
  let wait = 0;
  let left = spent.size;
  for (const { amount: freed, at } of spent) {
    if (total <= limit || left === 0) break;
    if (at === undefined) continue;
    total -= freed;
    left--;
    wait = at + MINUTE - now;
  }
  return total <= limit || left === 0 ? wait : Infinity;
}

/**
 * A budget of requests and tokens a minute that many agents share. Who waits is served in order.
 *
 * @remarks A request holds the tokens that are expected of it until it has ended; then what it used counts, for a minute. One
 * that is larger than the whole budget is made when nothing else is spent.
 */
export class RateBudget {
  readonly #limits: RateBudgetOptions;
  readonly #requests = new Set<Spent>();
  readonly #tokens = new Set<Spent>();
  readonly #waiting = new Set<Waiting>();
  #timer: Subscription | undefined;

  constructor(limits: RateBudgetOptions) {
    check.limit("requestsPerMinute", limits.requestsPerMinute);
    check.limit("tokensPerMinute", limits.tokensPerMinute);
    this.#limits = limits;
  }

  /** Emits once, when a request that is expected to use so many tokens may be made, what to call when it has ended. */
  request(tokens = 0): Observable<Settle> {
    return new Observable<Settle>((subscriber) => {
      const waiting = { subscriber, tokens: Math.max(tokens, 1) };
      this.#waiting.add(waiting);
      this.#serve();
      return () => {
        this.#waiting.delete(waiting);
        this.#serve();
      };
    });
  }

  #hold(expected: number): Settle {
    const held: Spent = { amount: expected };
    this.#tokens.add(held);
    return (used = expected) => {
      // Once; what is spent stands in the order of time.
      if (!this.#tokens.delete(held)) return;
      this.#tokens.add({ amount: used, at: asyncScheduler.now() });
      this.#serve();
    };
  }

  #serve(): void {
    this.#wake();
    const { requestsPerMinute = Infinity, tokensPerMinute = Infinity } = this.#limits;
    for (const waiting of this.#waiting) {
      const now = asyncScheduler.now();
      const wait = Math.max(
        waitFor(this.#requests, 1, requestsPerMinute, now),
        waitFor(this.#tokens, waiting.tokens, tokensPerMinute, now),
      );
      if (wait > 0) return this.#wake(wait);
      this.#waiting.delete(waiting);
      this.#requests.add({ amount: 1, at: now });
      waiting.subscriber.next(this.#hold(waiting.tokens));
      waiting.subscriber.complete();
    }
  }

  #wake(ms = Infinity): void {
    this.#timer?.unsubscribe();
    this.#timer = ms === Infinity ? undefined : timer(ms).subscribe(() => this.#serve());
  }
}
