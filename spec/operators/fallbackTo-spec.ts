import type { Api, Model } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type ReactiveStreamFn } from "pi-agent-rx";
import { fallbackTo } from "pi-agent-rx/operators";
import { from, NEVER, throwError } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { answers, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { failed, provider, request } from "./support/policies";

const other: Model<Api> = { ...model, id: "other", provider: "south" };

describe("fallbackTo", () => {
  it("asks another stream function when a response failed", () =>
    virtually(({ cold, expectObservable }) => {
      const second = () => cold("-sd--", provider);
      expectObservable(cold("-sf|", provider).pipe(fallbackTo(second)(request()))).toBe("-s-s(d|)", provider);
      expectObservable(cold("-sd|", provider).pipe(fallbackTo(second)(request()))).toBe("-sd|", provider);
    }));

  it("does so for what was thrown, for failures it was told of, and for no abort", () =>
    virtually(({ cold, expectObservable }) => {
      const second = () => cold("d", provider);
      const thrown$ = throwError(() => new Error("no"));
      expectObservable(thrown$.pipe(fallbackTo(second)(request()))).toBe("(d|)", provider);
      const picky = fallbackTo(second, { when: ({ errorMessage }) => /503/.test(errorMessage ?? "") });
      expectObservable(cold("f|", provider).pipe(picky(request()))).toBe("f|", provider);
      expectObservable(cold("e|", provider).pipe(picky(request()))).toBe("d|", provider);
      expectObservable(cold("x|", provider).pipe(fallbackTo(second)(request()))).toBe("x|", provider);
    }));

  it("does not do so after visible output, unless asked", () =>
    virtually(({ cold, expectObservable }) => {
      const second = () => cold("d", provider);
      expectObservable(cold("sae|", provider).pipe(fallbackTo(second)(request()))).toBe("sae|", provider);
      const asked = fallbackTo(second, { afterOutput: true });
      expectObservable(cold("sae|", provider).pipe(asked(request()))).toBe("sad|", provider);
    }));

  it("aborts the other stream when it is left", () => {
    let signal: AbortSignal | undefined;
    const second: ReactiveStreamFn = (_model, _context, options) => {
      signal = options?.signal;
      return NEVER;
    };
    const subscription = from([terminal(failed("no"))])
      .pipe(fallbackTo(second)(request()))
      .subscribe();
    expect(signal?.aborted).toBe(false);
    subscription.unsubscribe();
    expect(signal?.aborted).toBe(true);
  });

  it("reads promises and async iterables", async () => {
    const second: ReactiveStreamFn = async () =>
      (async function* () {
        yield provider.s!;
        yield provider.d!;
      })();
    const types = await new Promise<string[]>((resolve) => {
      const seen: string[] = [];
      from([provider.e!])
        .pipe(fallbackTo(second)(request()))
        .subscribe({ next: ({ type }) => seen.push(type), complete: () => resolve(seen) });
    });
    expect(types).toEqual(["start", "done"]);
  });

  it("asks another model through the agent's own stream function, with its key", () => {
    const asked: unknown[] = [];
    const good = answers(assistant("hi"));
    const bad = answers(failed("401"));
    let last: unknown;
    virtually(() => {
      const agent = new Agent({
        initialState: { model },
        getApiKey: (name) => `key of ${name}`,
        streamFn: ({ id }, _context, options) => {
          asked.push([id, options?.apiKey]);
          return id === "other" ? good() : bad();
        },
        operators: { response: fallbackTo(other) },
      });
      agent.prompt$("x").subscribe({ complete: () => (last = agent.state.messages.at(-1)) });
    });
    expect(asked).toEqual([
      ["small", "key of north"],
      ["other", "key of south"],
    ]);
    expect(last).toMatchObject({ stopReason: "stop" });
  });
});
