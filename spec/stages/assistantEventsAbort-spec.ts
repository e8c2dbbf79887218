import { describe, expect, it } from "@jest/globals";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { EMPTY, map, of, tap, timer, type Observable } from "rxjs";
import { assistantEvents, runControl, type AgentEvent } from "pi-agent-rx";
import { assistant, call, model } from "../support/fixtures";
import { openGate, slowGate } from "../support/gates";
import { label } from "../support/label";
import { start, terminal, delta } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const words = {
  s: start(),
  t: delta("so far"),
  d: terminal(assistant("ab")),
  f: terminal(assistant("a", { stopReason: "aborted", errorMessage: "by the provider" })),
};
const told = { S: "message_start assistant", T: "message_update assistant", E: "message_end assistant" };
const aborted = (text: string) => ({
  stopReason: "aborted",
  errorMessage: "Request was aborted",
  content: [{ type: "text", text }],
  thinkingLevel: "off",
});

/** The stage of a run that is aborted at `at`, with a grace of 5. */
function abortedAt(at: number, gate = openGate) {
  const control = runControl(5);
  if (at < 0) control.abort();
  else timer(at).subscribe(() => control.abort());
  return assistantEvents({ gate, control, model, thinkingLevel: "off" });
}

/** Keeps the message of the last event. */
function last(events$: Observable<AgentEvent>) {
  const kept: { message?: AssistantMessage } = {};
  const kept$ = events$.pipe(
    tap((event) => (kept.message = (event as { message: AssistantMessage }).message)),
    map(label),
  );
  return { kept, kept$ };
}

describe("assistantEvents under an abort", () => {
  it("ends as aborted when no request was made", () => {
    virtually(({ expectObservable, flush }) => {
      const { kept, kept$ } = last(EMPTY.pipe(abortedAt(-1)));
      expectObservable(kept$).toBe("(SE|)", told);
      flush();
      expect(kept.message).toMatchObject({ ...aborted(""), provider: model.provider, model: model.id });
    });
  });

  it("lets the provider end by itself within the grace, done or aborted", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const done = last(cold("s-t---d|", words).pipe(abortedAt(3)));
      expectObservable(done.kept$).toBe("S-T---(E|)", told);
      const own = last(cold("s-t-f|", words).pipe(abortedAt(3)));
      expectObservable(own.kept$).toBe("S-T-(E|)", told);
      flush();
      expect(done.kept.message).toMatchObject({ stopReason: "stop" });
      expect(own.kept.message).toMatchObject({ stopReason: "aborted", errorMessage: "by the provider" });
    });
  });

  it("passes what streams within the grace, then leaves the provider", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const source$ = cold("  s-t--t---t|", words);
      const expected = "      S-T--T--(E|)";
      const { kept, kept$ } = last(source$.pipe(abortedAt(3)));
      expectObservable(kept$).toBe(expected, told);
      expectSubscriptions(source$.subscriptions).toBe("^-------!");
      flush();
      expect(kept.message).toMatchObject(aborted("so far"));
    });
  });

  it("ends as aborted when the source completes without a terminal event", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { kept, kept$ } = last(cold("s-t---|", words).pipe(abortedAt(3)));
      expectObservable(kept$).toBe("S-T---(E|)", told);
      flush();
      expect(kept.message).toMatchObject(aborted("so far"));
    });
  });

  it("says what the source threw after the abort", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const source$ = cold("s-t---#", words, new Error("socket closed"));
      const { kept, kept$ } = last(source$.pipe(abortedAt(3)));
      expectObservable(kept$).toBe("S-T---(E|)", told);
      flush();
      expect(kept.message).toMatchObject({ ...aborted("so far"), errorMessage: "socket closed" });
    });
  });

  it("ends with a deep copy of what had streamed", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const partial = assistant([call("a", "read", { path: "x" })]);
      const { kept, kept$ } = last(cold("s---", { s: start(partial) }).pipe(abortedAt(0)));
      expectObservable(kept$).toBe("S----(E|)", told);
      flush();
      (partial.content[0] as { arguments: Record<string, unknown> }).arguments.path = "changed";
      expect(kept.message!.content).toEqual([call("a", "read", { path: "x" })]);
    });
  });

  it("ends a response that never started", () => {
    virtually(({ cold, expectObservable }) => {
      expectObservable(cold("------", words).pipe(abortedAt(1), map(label))).toBe("------(SE|)", told);
    });
  });

  it("changes nothing after the terminal event", () => {
    virtually(({ cold, expectObservable, flush }) => {
      const { kept, kept$ } = last(cold("s-d|", words).pipe(abortedAt(3, slowGate(5, "message_end"))));
      expectObservable(kept$).toBe("S------(E|)", told);
      flush();
      expect(kept.message).toMatchObject({ stopReason: "stop" });
    });
  });

  it("still takes a response that comes synchronously after the deadline", () => {
    virtually(({ expectObservable, flush }) => {
      const control = runControl(0);
      control.abort();
      const stage = assistantEvents({ gate: openGate, control, model, thinkingLevel: "off" });
      const { kept, kept$ } = last(of(words.d).pipe(stage));
      expectObservable(kept$).toBe("(SE|)", told);
      flush();
      expect(kept.message).toMatchObject({ stopReason: "stop" });
    });
  });

  it("waits for the gate, however long, also past the deadline", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold("st----", words);
      const held$ = source$.pipe(abortedAt(2, slowGate(20, "message_update")), map(label));
      expectObservable(held$).toBe("S 20ms (TE|)", told);
      expectSubscriptions(source$.subscriptions).toBe("^------!");
    });
  });
});
