import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { retryResponse } from "pi-agent-rx/operators";
import { concat, defer, of, throwError, timer } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { answers, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { failed, provider, request } from "./support/policies";

const still = { jitter: 0, backoff: 4 };

/** Each subscription takes the next of the diagrams. */
function attempts<T>(streams: readonly T[]): { next: () => T; made: () => number } {
  let made = 0;
  return { next: () => streams[made++]!, made: () => made };
}

describe("retryResponse", () => {
  it("asks again after a wait that doubles, until it has an answer", () =>
    virtually(({ cold, expectObservable }) => {
      const tries = attempts([cold("-e|", provider), cold("-e|", provider), cold("-sd|", provider)]);
      const events$ = defer(tries.next).pipe(retryResponse(still)(request()));
      //  1 fails, 4 later the next, 1 fails, 8 later the last
      expectObservable(events$).toBe("---------------sd|", provider);
    }));

  it("gives up with the last failure", () =>
    virtually(({ cold, expectObservable }) => {
      const tries = attempts([cold("-e|", provider), cold("-(e|)", provider)]);
      const events$ = defer(tries.next).pipe(retryResponse({ ...still, attempts: 2 })(request()));
      expectObservable(events$).toBe("------(e|)", provider);
    }));

  it("retries only what may pass, and no abort", () =>
    virtually(({ cold, expectObservable }) => {
      for (const letter of ["f", "x"]) {
        const events$ = cold(`-s${letter}|`, provider).pipe(retryResponse(still)(request()));
        expectObservable(events$).toBe(`-s${letter}|`, provider);
      }
      const tries = attempts([cold("f|", provider), cold("d|", provider)]);
      const own$ = defer(tries.next).pipe(retryResponse({ ...still, isRetryable: () => true })(request()));
      expectObservable(own$).toBe("----d|", provider);
    }));

  it("retries nothing after visible output, unless asked", () =>
    virtually(({ cold, expectObservable }) => {
      const first$ = cold("sae|", provider);
      expectObservable(first$.pipe(retryResponse(still)(request()))).toBe("sae|", provider);
      const tries = attempts([cold("sae|", provider), cold("sd|", provider)]);
      const asked$ = defer(tries.next).pipe(retryResponse({ ...still, afterOutput: true })(request()));
      expectObservable(asked$).toBe("sa----sd|", provider);
    }));

  it("waits as long as the provider asks for, by its text or its headers", () =>
    virtually(({ cold, expectObservable }) => {
      const limited = terminal(failed("429 rate limit, retry-after: 20ms"));
      const byText = attempts([cold("(e|)", { e: limited }), cold("d|", provider)]);
      expectObservable(defer(byText.next).pipe(retryResponse(still)(request()))).toBe("20ms d|", provider);

      const heard: unknown[] = [];
      const asked = request({ onResponse: ({ status }) => void heard.push(status) });
      const byHeader = attempts([
        defer(() => {
          void asked.options.onResponse?.({ status: 429, headers: { "Retry-After": "0.03" } }, model);
          return of(provider.e!);
        }),
        cold("d|", provider),
      ]);
      expectObservable(defer(byHeader.next).pipe(retryResponse(still)(asked))).toBe("30ms d|", provider);
      timer(40).subscribe(() => expect(heard).toEqual([429]));
    }));

  it("does not wait longer than it may", () =>
    virtually(({ cold, expectObservable }) => {
      const limited = { e: terminal(failed("429 rate limit, retry-after: 90")) };
      expectObservable(cold("e|", limited).pipe(retryResponse(still)(request()))).toBe("e|", limited);
    }));

  it("leaves a part of the wait to chance, and tells of it", () =>
    virtually(({ cold, expectObservable }) => {
      const told: unknown[] = [];
      const options = {
        backoff: (count: number) => count * 10,
        jitter: 0.5,
        random: () => 0.8,
        onRetry: ({ attempt, delayMs }: { attempt: number; delayMs: number }) =>
          told.push([attempt, delayMs]),
      };
      const tries = attempts([cold("(e|)", provider), cold("(e|)", provider), cold("d|", provider)]);
      expectObservable(defer(tries.next).pipe(retryResponse(options)(request()))).toBe("18ms d|", provider);
      timer(30).subscribe(() =>
        expect(told).toEqual([
          [2, 6],
          [3, 12],
        ]),
      );
    }));

  it("retries what was thrown, and passes on what it does not retry as it was", () =>
    virtually(({ cold, expectObservable }) => {
      const thrown = new Error("fetch failed");
      const tries = attempts([throwError(() => thrown), cold("d|", provider)]);
      expectObservable(defer(tries.next).pipe(retryResponse(still)(request()))).toBe("----d|", provider);
      const other = new Error("no such thing");
      expectObservable(throwError(() => other).pipe(retryResponse(still)(request()))).toBe("#", {}, other);
    }));

  it("ends the wait at an abort, without another attempt", () =>
    virtually(({ cold, expectObservable }) => {
      const controller = new AbortController();
      const tries = attempts([cold("(e|)", provider), cold("d|", provider)]);
      const events$ = defer(tries.next).pipe(retryResponse(still)(request({ signal: controller.signal })));
      timer(2).subscribe(() => controller.abort());
      expectObservable(events$).toBe("--|");
    }));

  it("lets a run of an agent go on as if nothing had happened", () => {
    const messages: unknown[] = [];
    virtually(() => {
      const failure = assistant([], { stopReason: "error", errorMessage: "503" });
      const agent = new Agent({
        initialState: { model },
        streamFn: answers(failure, failure, assistant("hi")),
        operators: { response: retryResponse() },
      });
      concat(agent.prompt$("x")).subscribe({ complete: () => messages.push(...agent.state.messages) });
    });
    expect(messages).toMatchObject([{ role: "user" }, { content: [{ text: "hi" }], stopReason: "stop" }]);
  });
});
