import { describe, expect, it, jest } from "@jest/globals";
import { EMPTY, ignoreElements, map, of, retry, takeWhile, throwError, timeout, type Observable } from "rxjs";
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import {
  runControl,
  streamResponse,
  type AgentOperators,
  type ModelRequest,
  type ReactiveStreamFn,
} from "pi-agent-rx";
import { assistant, model } from "../support/fixtures";
import { start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const request: ModelRequest = { model, context: { messages: [] } as never, options: {} };
const words = { s: start(), d: terminal(assistant("a")), b: terminal(assistant("b")) };

/** The stage with a provider of one observable per request, and the signals its requests got. */
function stage(response: AgentOperators["response"], ...replies: Observable<AssistantMessageEvent>[]) {
  const control = runControl(5);
  const signals: AbortSignal[] = [];
  const streamFn = jest.fn<ReactiveStreamFn>((_model, _context, options) => {
    signals.push(options!.signal!);
    return replies[Math.min(signals.length, replies.length) - 1]!;
  });
  const deps = { streamFn, control, operators: { response }, getApiKey: () => `key ${signals.length}` };
  return { control, signals, streamFn, output$: of(request).pipe(streamResponse(deps)) };
}

const flaky = () => retry<AssistantMessageEvent>({ count: 5, delay: 2 });

describe("streamResponse with operators.response", () => {
  it("makes the operator of each request", () => {
    const response = jest.fn(() => (source$: Observable<AssistantMessageEvent>) => source$);
    const { output$ } = stage(response, of(words.d));
    output$.subscribe();
    output$.subscribe();
    expect(response.mock.calls).toEqual([[request], [request]]);
  });

  it("passes what the operator makes of the events", () => {
    virtually(({ cold, expectObservable }) => {
      const { output$ } = stage(
        () => map((event) => (event === words.d ? words.b : event)),
        cold("s-d", words),
      );
      expectObservable(output$).toBe("s-(b|)", words);
      expectObservable(stage(() => ignoreElements(), cold("s-d", words)).output$).toBe("--|");
    });
  });

  it("makes the request again, with a fresh key, when the operator subscribes again", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [bad$, good$] = [cold("s#", words), cold("s-d", words)];
      const { output$, streamFn } = stage(flaky, bad$, good$);
      expectObservable(output$).toBe("s--s-(d|)", words);
      expectSubscriptions(bad$.subscriptions).toBe("^!");
      expectSubscriptions(good$.subscriptions).toBe("---^-!");
      flush();
      expect(streamFn.mock.calls.map(([, , options]) => options!.apiKey)).toEqual(["key 0", "key 1"]);
    });
  });

  it("aborts the signal of a request that the operator leaves, and of no other", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [stalled$, good$] = [cold("s-----", words), cold("s-d", words)];
      const waiting = () => (events$: Observable<AssistantMessageEvent>) =>
        events$.pipe(timeout({ each: 3 }), retry(1));
      const { output$, signals, control } = stage(waiting, stalled$, good$);
      expectObservable(output$).toBe("s--s-(d|)", words);
      expectSubscriptions(stalled$.subscriptions).toBe("^--!");
      flush();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(control.signal.aborted).toBe(false);
    });
  });

  it("aborts nothing when it is left at the terminal event", () => {
    const { output$, signals } = stage(flaky, of(words.s, words.d));
    output$.pipe(takeWhile((event) => event !== words.d)).subscribe();
    expect(signals[0]!.aborted).toBe(false);
  });

  it("hands an abort of the run on to the request's signal", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { output$, signals, control } = stage(flaky, cold("s---d", words));
      cold("--x").subscribe(() => control.abort("enough"));
      expectObservable(output$).toBe("s---(d|)", words);
      flush();
      expect(signals[0]!.reason).toBe("enough");
    });
  });

  it("makes no request after an abort, however often the operator subscribes", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { output$, streamFn, control } = stage(flaky, cold("--#"));
      cold("-x").subscribe(() => control.abort());
      expectObservable(output$).toBe("----|");
      flush();
      expect(streamFn).toHaveBeenCalledTimes(1);
    });
  });

  it("leaves the provider when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const stalled$ = cold("s-----", words);
      const { output$, signals } = stage(flaky, stalled$);
      expectObservable(output$, "^--!").toBe("s---", words);
      expectSubscriptions(stalled$.subscriptions).toBe("^--!");
      flush();
      expect(signals[0]!.aborted).toBe(true);
    });
  });

  it("leaves no listener on the run's signal", () => {
    const { output$, control } = stage(flaky, of(words.d));
    const add = jest.spyOn(control.signal, "addEventListener");
    const remove = jest.spyOn(control.signal, "removeEventListener");
    for (let n = 0; n < 50; n++) output$.subscribe();
    expect(add).toHaveBeenCalledTimes(50);
    expect(remove.mock.calls.length).toBeGreaterThanOrEqual(50);
    expect(remove.mock.calls.slice(-1)[0]![1]).toBe(add.mock.calls.slice(-1)[0]![1]);
  });

  it("fails as the operator fails, also when it cannot be made", () => {
    virtually(({ expectObservable }) => {
      expectObservable(stage(() => () => throwError(() => "error"), EMPTY).output$).toBe("#");
      const thrower = (): never => {
        throw "error";
      };
      expectObservable(stage(thrower, EMPTY).output$).toBe("#");
    });
  });
});
