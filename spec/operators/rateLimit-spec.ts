import { normalizeContext } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { RateBudget, rateLimit } from "pi-agent-rx/operators";
import { asyncScheduler, defer, merge, timer } from "rxjs";
import { assistant, model, user } from "../support/fixtures";
import { answers, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { provider, request } from "./support/policies";

const using = (totalTokens: number) => ({
  d: terminal(assistant("hi", { usage: { ...assistant("").usage, totalTokens } })),
  e: terminal(assistant("", { stopReason: "error", usage: { ...assistant("").usage, totalTokens } })),
});

describe("rateLimit", () => {
  it("lets as many requests a minute through as the budget has, in order", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ requestsPerMinute: 2 }));
      const ask = () => cold("d|", provider).pipe(limit(request()));
      expectObservable(ask()).toBe("d|", provider);
      expectObservable(defer(ask), "----------^").toBe("----------d|", provider);
      expectObservable(defer(ask), "-----------^").toBe("60s d|", provider);
      expectObservable(defer(ask), "------------^").toBe("60010ms d|", provider);
    }));

  it("holds requests back when the tokens of a minute are used, by failures too", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }));
      const ask = (letter: "d" | "e", tokens: number) =>
        defer(() => cold(`${letter}|`, using(tokens)).pipe(limit(request())));
      expectObservable(ask("d", 60)).toBe("d|", using(60));
      expectObservable(ask("e", 60), "-----^").toBe("-----e|", using(60));
      expectObservable(ask("d", 1), "------^").toBe("60s d|", using(1));
    }));

  it("holds what a request is expected to use until it is known", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }), { estimate: () => 40 });
      const ask = (marbles: string, tokens: number) => cold(marbles, using(tokens)).pipe(limit(request()));
      expectObservable(ask("----d|", 10)).toBe("----d|", using(10));
      expectObservable(ask("--d|", 80)).toBe("--d|", using(80));
      // There is no room beside the 80 of the second one, for a minute.
      expectObservable(ask("d|", 1)).toBe("60002ms d|", using(1));
    }));

  it("lets the next one in as soon as a request has used less than was expected", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }), { estimate: () => 60 });
      const ask = (tokens: number) => cold("----d|", using(tokens)).pipe(limit(request()));
      expectObservable(ask(20)).toBe("----d|", using(20));
      expectObservable(ask(20)).toBe("--------d|", using(20));
    }));

  it("makes a request that is larger than the budget when nothing else is spent", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }), { estimate: () => 500 });
      const ask = () => cold("--d|", using(1)).pipe(limit(request()));
      expectObservable(ask()).toBe("--d|", using(1));
      expectObservable(ask()).toBe("60002ms --d|", using(1));
    }));

  it("counts the estimate of a response that was left", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }), { estimate: () => 60 });
      const ask = () => cold("----d|", using(1)).pipe(limit(request()));
      expectObservable(ask(), "^-!").toBe("---");
      expectObservable(ask()).toBe("60002ms ----d|", using(1));
    }));

  it("expects what pi-ai estimates of the context", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ tokensPerMinute: 100 }));
      const long = { ...request(), context: normalizeContext({ messages: [user("x".repeat(300))] }) };
      const ask = () => cold("----d|", using(1)).pipe(limit(long));
      expectObservable(ask()).toBe("----d|", using(1));
      expectObservable(ask()).toBe("--------d|", using(1));
    }));

  it("ends the wait at an abort, and lets the next one in", () =>
    virtually(({ cold, expectObservable }) => {
      const limit = rateLimit(new RateBudget({ requestsPerMinute: 1 }));
      const controller = new AbortController();
      expectObservable(cold("d|", provider).pipe(limit(request()))).toBe("d|", provider);
      const aborted$ = cold("d|", provider).pipe(limit(request({ signal: controller.signal })));
      expectObservable(aborted$).toBe("---|");
      expectObservable(cold("d|", provider).pipe(limit(request()))).toBe("60s d|", provider);
      timer(3).subscribe(() => controller.abort());
    }));

  it("counts nothing for one that has left before its turn", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const limit = rateLimit(new RateBudget({ requestsPerMinute: 1 }));
      const left$ = cold("d|", provider);
      expectObservable(cold("d|", provider).pipe(limit(request()))).toBe("d|", provider);
      expectObservable(left$.pipe(limit(request())), "^--!").toBe("---");
      expectSubscriptions(left$.subscriptions).toBe([]);
      expectObservable(cold("d|", provider).pipe(limit(request()))).toBe("60s d|", provider);
    }));

  it("shares one budget among agents", () => {
    const requests: number[] = [];
    virtually(() => {
      const budget = new RateBudget({ requestsPerMinute: 1 });
      const reply = answers(assistant("hi"));
      const agents = [1, 2, 3].map(
        () =>
          new Agent({
            initialState: { model },
            streamFn: () => {
              requests.push(asyncScheduler.now());
              return reply();
            },
            operators: { response: rateLimit(budget) },
          }),
      );
      merge(...agents.map((agent) => agent.prompt$("x"))).subscribe();
    });
    expect(requests).toEqual([0, 60_000, 120_000]);
  });

  it("names what it expects", () => {
    expect(() => new RateBudget({ requestsPerMinute: 0 })).toThrow(
      "requestsPerMinute: expected an integer ≥ 1",
    );
    expect(() => new RateBudget({ tokensPerMinute: 0.5 })).toThrow(
      "tokensPerMinute: expected an integer ≥ 1",
    );
  });
});
