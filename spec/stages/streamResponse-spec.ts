import { describe, expect, it, jest } from "@jest/globals";
import { concatWith, EMPTY, lastValueFrom, NEVER, of, throwError, toArray } from "rxjs";
import { runControl, streamResponse, type ModelRequest, type StreamResponseDeps } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, model, user } from "../support/fixtures";
import { delta, response, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const request: ModelRequest = {
  model,
  context: { messages: [user("hi")] } as never,
  options: { apiKey: "given" },
};
const words = {
  s: start(),
  t: delta("a"),
  d: terminal(assistant("a")),
  f: terminal(assistant("", { stopReason: "error" })),
};

const asked = (deps: Partial<StreamResponseDeps>) =>
  of(request).pipe(streamResponse({ streamFn: () => EMPTY, control: runControl(), ...deps }));

describe("streamResponse", () => {
  it("passes an empty source and an error without a request", () => {
    virtually(({ expectObservable, flush }) => {
      const streamFn = jest.fn(() => EMPTY);
      const stage = streamResponse({ streamFn, control: runControl() });
      expectObservable(EMPTY.pipe(stage)).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage)).toBe("#");
      flush();
      expect(streamFn).not.toHaveBeenCalled();
    });
  });

  it("hands model, context, options and signal to the stream function", () => {
    const streamFn = jest.fn(() => EMPTY);
    const control = runControl();
    asked({ streamFn, control }).subscribe();
    expect(streamFn.mock.calls).toEqual([
      [model, request.context, { apiKey: "given", signal: control.signal }],
    ]);
  });

  it("passes events up to the terminal one and leaves the provider there", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const provider$ = cold(" s-t-d-t-d|", words);
      const expected = "       s-t-(d|)";
      expectObservable(asked({ streamFn: () => provider$ })).toBe(expected, words);
      expectSubscriptions(provider$.subscriptions).toBe("^---!");
      expectObservable(asked({ streamFn: () => cold("s-f-d|", words) })).toBe("s-(f|)", words);
    });
  });

  it("completes with a provider that has no terminal event", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(asked({ streamFn: () => cold("s-t--|", words) })).toBe("s-t--|", words);
      expectObservable(asked({ streamFn: () => EMPTY })).toBe("|");
    });
  });

  it("makes the second request when the first has ended", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const provider$ = cold("s----d", words);
      const stage = streamResponse({ streamFn: () => provider$, control: runControl() });
      expectObservable(of(request, request).pipe(stage)).toBe("s----(ds)-(d|)", words);
      expectSubscriptions(provider$.subscriptions).toBe(["^----!", "-----^----!"]);
    });
  });

  it.each(failingHooks)("fails when the stream function %s", async (_, streamFn) => {
    await expect(lastValueFrom(asked({ streamFn }))).rejects.toBe(hookError);
  });

  it("fails when the provider's observable fails after its start", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(asked({ streamFn: () => cold("s-#", words) })).toBe("s-#", words);
    });
  });

  it.each([
    [undefined, "undefined"],
    [[], "an array"],
    ["text", '"text"'],
    [{}, "an object"],
  ])("names the stream function when it gives %p", (output, shown) => {
    virtually(({ expectObservable }) => {
      const what = "streamFn: expected an event stream, an async iterable or an observable";
      const error = new TypeError(`${what}, got ${shown}`);
      expectObservable(asked({ streamFn: () => output as never })).toBe("#", undefined, error);
    });
  });

  it("takes a promise of an observable", async () => {
    const streamFn = () => Promise.resolve(response(assistant("a")));
    await expect(lastValueFrom(asked({ streamFn }).pipe(toArray()))).resolves.toHaveLength(2);
  });

  it("leaves the provider when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const provider$ = cold("s----d|", words);
      expectObservable(asked({ streamFn: () => provider$ }), "^--!").toBe("s---", words);
      expectSubscriptions(provider$.subscriptions).toBe("^--!");
    });
  });

  describe("getApiKey", () => {
    it("gives the key of the model's provider; nothing leaves the given one", () => {
      const streamFn = jest.fn((..._: Parameters<StreamResponseDeps["streamFn"]>) => EMPTY);
      const getApiKey = jest.fn((_provider: string): string | undefined => undefined);
      asked({ streamFn, getApiKey }).subscribe();
      getApiKey.mockReturnValue("fresh");
      asked({ streamFn, getApiKey }).subscribe();
      getApiKey.mockReturnValue("");
      asked({ streamFn, getApiKey }).subscribe();
      expect(getApiKey).toHaveBeenCalledWith(model.provider);
      expect(streamFn.mock.calls.map(([, , options]) => options?.apiKey)).toEqual([
        "given",
        "fresh",
        "given",
      ]);
    });

    it("is waited for before the request", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const provider$ = cold("--d", words);
        const streamFn = () => provider$;
        expectObservable(asked({ streamFn, getApiKey: () => cold("---(k|)") })).toBe("-----(d|)", words);
        expectSubscriptions(provider$.subscriptions).toBe("---^-!");
      });
    });

    it.each(failingHooks)("fails the request when it %s", async (_, getApiKey) => {
      const streamFn = jest.fn(() => EMPTY);
      await expect(lastValueFrom(asked({ streamFn, getApiKey }))).rejects.toBe(hookError);
      expect(streamFn).not.toHaveBeenCalled();
    });

    it("is left when the stage is left", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const key$ = cold("-----k|");
        expectObservable(asked({ getApiKey: () => key$ }), "^--!").toBe("----");
        expectSubscriptions(key$.subscriptions).toBe("^--!");
      });
    });
  });

  describe("after an abort", () => {
    it("asks for no key and makes no request", () => {
      const control = runControl();
      control.abort();
      const [streamFn, getApiKey] = [jest.fn(() => EMPTY), jest.fn(() => "key")];
      virtually(({ expectObservable }) => {
        expectObservable(asked({ streamFn, getApiKey, control })).toBe("|");
      });
      expect(streamFn).not.toHaveBeenCalled();
      expect(getApiKey).not.toHaveBeenCalled();
    });

    it("makes no request when it came while the key was fetched", () => {
      virtually(({ cold, expectObservable, flush }) => {
        const control = runControl();
        const streamFn = jest.fn(() => NEVER);
        cold("-x").subscribe(() => control.abort());
        expectObservable(asked({ streamFn, control, getApiKey: () => cold("---(k|)") })).toBe("---|");
        flush();
        expect(streamFn).not.toHaveBeenCalled();
      });
    });

    it("leaves a running provider to end by itself", () => {
      virtually(({ cold, expectObservable }) => {
        const control = runControl();
        cold("-x").subscribe(() => control.abort());
        expectObservable(asked({ streamFn: () => cold("s--d|", words), control })).toBe("s--(d|)", words);
      });
    });
  });

  it("passes what comes in the same breath, synchronously", () => {
    const seen: string[] = [];
    asked({ streamFn: () => response(assistant("a")).pipe(concatWith(NEVER)) }).subscribe({
      next: ({ type }) => seen.push(type),
      complete: () => seen.push("end"),
    });
    expect(seen).toEqual(["start", "done", "end"]);
  });
});
