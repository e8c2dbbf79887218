import { isRetryableAssistantError, type AssistantMessage } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { idleTimeout } from "pi-agent-rx/operators";
import { concat, map, NEVER, of } from "rxjs";
import { assistant, model } from "../support/fixtures";
import { delta, start } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { provider, request } from "./support/policies";

describe("idleTimeout", () => {
  it("lets a response through that goes on", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("--s--a--d|", provider);
      expectObservable(events$.pipe(idleTimeout(3)(request()))).toBe("--s--a--d|", provider);
      expectSubscriptions(events$.subscriptions).toBe("^--------!");
    }));

  it("ends one that stalls as failed, with what had streamed", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const events$ = cold("-sa------d|", provider);
      const error = assistant("a", {
        stopReason: "error",
        errorMessage: "The provider was idle for 4 ms (idle timeout)",
      });
      expectObservable(events$.pipe(idleTimeout(4)(request()))).toBe("-sa---(t|)", {
        ...provider,
        t: { type: "error", reason: "error", error },
      });
      expectSubscriptions(events$.subscriptions).toBe("^-----!");
    }));

  it("counts the time before the first event, and passes errors and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const type$ = cold<never>("-----|").pipe(
        idleTimeout(2)(request()),
        map(({ type }) => type),
      );
      expectObservable(type$).toBe("--(e|)", { e: "error" });
      expectObservable(cold<never>("-#").pipe(idleTimeout(2)(request()))).toBe("-#");
      const left$ = cold("-s-d|", provider);
      expectObservable(left$.pipe(idleTimeout(9)(request())), "^-!").toBe("-s-", provider);
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("tells the provider of an agent, and fails the run in a way that can be retried", () => {
    let signal: AbortSignal | undefined;
    let last: AssistantMessage | undefined;
    virtually(() => {
      const agent = new Agent({
        initialState: { model },
        streamFn: (_model, _context, options) => {
          signal = options?.signal;
          return concat(of(start(assistant([])), delta("a")), NEVER);
        },
        operators: { response: idleTimeout(50) },
      });
      agent
        .prompt$("x")
        .subscribe({ complete: () => (last = agent.state.messages.at(-1) as AssistantMessage) });
    });
    expect(signal?.aborted).toBe(true);
    expect(last).toMatchObject({ stopReason: "error", content: [{ text: "a" }] });
    expect(isRetryableAssistantError(last!)).toBe(true);
  });

  it("names what it expects", () => {
    expect(() => idleTimeout(-1)).toThrow(
      "idleTimeout: expected a number of ms from 0 to 2147483647, got -1",
    );
  });
});
