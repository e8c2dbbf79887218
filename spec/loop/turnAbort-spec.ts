import { describe, expect, it, jest } from "@jest/globals";
import { last, map, NEVER, retry, timer, type Observable } from "rxjs";
import type { AgentEvent, ReactiveLoopConfig, ReactiveStreamFn } from "pi-agent-rx";
import { assistant, call, context, output, tool, user } from "../support/fixtures";
import { failingHooks } from "../support/failingHooks";
import { slowGate } from "../support/gates";
import { run, runChars, type RunFields } from "../support/loop";
import { answers, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const asking = assistant([call("1")]);
const answer = assistant("done");

/** A run that is aborted at `at` with the reason "enough", with a grace of 5. */
function aborted(at: number, { config, ...fields }: RunFields = {}): Observable<AgentEvent> {
  const controller = new AbortController();
  if (at < 0) controller.abort("enough");
  else timer(at).subscribe(() => controller.abort("enough"));
  return run({ ...fields, signal: controller.signal, config: { abortGraceMs: 5, ...config } });
}

/** How a run ended: outcome, reason, and the stop reason of its last assistant message. */
const ending = (events$: Observable<AgentEvent>) =>
  events$.pipe(
    last(),
    map((event) => {
      const { outcome, reason, messages } = event as Extract<AgentEvent, { type: "agent_end" }>;
      const message = messages.findLast(({ role }) => role === "assistant");
      return [outcome, reason, (message as { stopReason?: string } | undefined)?.stopReason];
    }),
  );
const asAborted = { e: ["aborted", "enough", "aborted"] };

const hooks = [
  "getSteeringMessages",
  "prepareRequest",
  "transformContext",
  "convertToLlm",
  "getApiKey",
] as const;

describe("turn under an abort", () => {
  it("commits the prompts and an aborted message when it came before, and asks nothing", () => {
    virtually(({ expectObservable, flush }) => {
      const streamFn = jest.fn<ReactiveStreamFn>(() => NEVER);
      const config = Object.fromEntries(hooks.map((hook) => [hook, jest.fn(() => [])]));
      expectObservable(aborted(-1, { streamFn, config: config }).pipe(runChars)).toBe("(atuUmMTz|)");
      expectObservable(ending(aborted(-1, { streamFn }))).toBe("(e|)", asAborted);
      flush();
      for (const hook of [streamFn, ...Object.values(config)]) expect(hook).not.toHaveBeenCalled();
    });
  });

  it("counts from the start when it came in the same breath as the subscription", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(() => NEVER);
    const controller = new AbortController();
    const ended = new Promise((resolve) =>
      ending(run({ streamFn, signal: controller.signal })).subscribe(resolve),
    );
    controller.abort("enough");
    await expect(ended).resolves.toEqual(asAborted.e);
    expect(streamFn).not.toHaveBeenCalled();
  });

  describe.each(hooks)("in %s", (name) => {
    it("lets it end within the grace, and makes no request", () => {
      virtually(({ cold, expectObservable, flush }) => {
        const streamFn = jest.fn<ReactiveStreamFn>(() => NEVER);
        const hook = () => cold("---(v|)", { v: [] });
        expectObservable(ending(aborted(1, { streamFn, config: { [name]: hook } }))).toBe(
          "---(e|)",
          asAborted,
        );
        flush();
        expect(streamFn).not.toHaveBeenCalled();
      });
    });

    it("leaves it at the deadline", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const stalled$ = cold("-----------");
        expectObservable(ending(aborted(1, { config: { [name]: () => stalled$ } }))).toBe(
          "------(e|)",
          asAborted,
        );
        expectSubscriptions(stalled$.subscriptions).toBe("^-----!");
      });
    });

    it("leaves it when the run is left", () => {
      virtually(({ cold, expectObservable, expectSubscriptions }) => {
        const hook$ = cold("-----------");
        expectObservable(run({ config: { [name]: () => hook$ } }).pipe(runChars), "^--!").toBe("(atuU)");
        expectSubscriptions(hook$.subscriptions).toBe("^--!");
      });
    });

    it.each(failingHooks.filter(([how]) => how !== "rejects"))(
      "is an abort still when it %s because of it",
      (how, fail) => {
        virtually(({ expectObservable }) => {
          const controller = new AbortController();
          const hook = () => (controller.abort("enough"), fail());
          const events$ = run({ signal: controller.signal, config: { [name]: hook } });
          expectObservable(ending(events$).pipe(map((end) => end[0]))).toBe(
            how.includes("in its time") ? "-(e|)" : "(e|)",
            { e: "aborted" },
          );
        });
      },
    );
  });

  it("gives the provider the grace, then ends the message as aborted", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const stalled$ = cold("--------s----------", { s: start() });
      const signals: (AbortSignal | undefined)[] = [];
      const streamFn: ReactiveStreamFn = (_model, _context, options) => (
        signals.push(options?.signal),
        stalled$
      );
      expectObservable(aborted(10, { streamFn }).pipe(runChars)).toBe("(atuU)--m------(MTz|)");
      expectSubscriptions(stalled$.subscriptions).toBe("^--------------!");
    });
  });

  it("is an abort still when the provider fails because of it", () => {
    virtually(({ cold, expectObservable }) => {
      const streamFn = () => cold("--s---#", { s: start() });
      expectObservable(ending(aborted(3, { streamFn }))).toBe("------(e|)", asAborted);
    });
  });

  it("takes a done that comes within the grace, and gives its calls aborted results", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const execute = jest.fn(() => output("v"));
      const streamFn = () => cold("--d", { d: terminal(asking) });
      const fields = { streamFn, context: context([user("before")], [tool("echo", execute)]) };
      expectObservable(ending(aborted(1, fields))).toBe("--(e|)", { e: ["aborted", "enough", "toolUse"] });
      flush();
      expect(execute).not.toHaveBeenCalled();
    });
  });

  it("makes no request by a retry after it", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const streamFn = jest.fn<ReactiveStreamFn>(() => cold("--#"));
      const config: Partial<ReactiveLoopConfig> = { operators: { response: () => retry({ delay: 2 }) } };
      expectObservable(ending(aborted(1, { streamFn, config }))).toBe("----(e|)", asAborted);
      flush();
      expect(streamFn).toHaveBeenCalledTimes(1);
    });
  });

  it("between two turns ends the run with agent_end alone", () => {
    virtually(({ expectObservable, flush }) => {
      const streamFn = jest.fn<ReactiveStreamFn>(answers(asking, answer));
      const prepareNextTurn = () => timer(16).pipe(map(() => undefined));
      const events$ = aborted(14, { streamFn, config: { prepareNextTurn } });
      expectObservable(events$.pipe(runChars)).toBe("(atuUmMxXrRT)---(z|)");
      flush();
      expect(streamFn).toHaveBeenCalledTimes(1);
    });
  });

  it("waits for the gate, however long, and counts until agent_end has passed", () => {
    virtually(({ expectObservable }) => {
      const held$ = aborted(2, { gate: slowGate(20, "turn_end") });
      expectObservable(ending(held$)).toBe("20ms (e|)", { e: ["aborted", "enough", "stop"] });
    });
  });

  it("after the run changes nothing", () => {
    virtually(({ expectObservable }) => {
      expectObservable(ending(aborted(1))).toBe("(e|)", { e: ["completed", undefined, "stop"] });
    });
  });
});
