import { describe, expect, it } from "@jest/globals";
import { concat, map, NEVER, of, timer } from "rxjs";
import type { AgentTurnDecision } from "pi-agent-rx";
import { calls, failure, started, terminal } from "./support/messages";
import { endOf, setUp, type SetUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

type Step = (agent: ReturnType<typeof setUp>["agent"]) => void;

/** How a run of these options ends, aborted at 10 if `abort` is given. */
function ending(options: SetUp, abort?: Step) {
  let end!: ReturnType<typeof endOf>;
  virtually(({ at, flush }) => {
    const { agent, events } = setUp({ abortGraceMs: 50, ...options });
    agent.prompt$("hello").subscribe();
    if (abort) at(10, () => abort(agent));
    flush();
    end = endOf(events);
  })();
  const { outcome } = end;
  return "reason" in end ? { outcome, reason: end.reason } : { outcome };
}

const end = (reason?: string) => (): AgentTurnDecision => ({ action: "end", reason });
const inTime$ = (message: ReturnType<typeof failure>) =>
  concat(of(started()), timer(30).pipe(map(() => terminal(message))));

describe("agent_end.outcome", () => {
  it("is completed when the run stops by itself, and has no reason", () => {
    expect(ending({})).toEqual({ outcome: "completed" });
  });

  it("is completed when every result terminates", () => {
    const tools = [tool(() => ({ content: [], details: undefined, terminate: true }))];
    expect(ending({ responses: [calls("a")], tools })).toEqual({ outcome: "completed" });
  });

  it("is stopped when finishTurn ends the run, with its reason if it gives one", () => {
    expect(ending({ finishTurn: end("max turns") })).toEqual({ outcome: "stopped", reason: "max turns" });
    expect(ending({ finishTurn: end() })).toEqual({ outcome: "stopped" });
  });

  it("is aborted after abort(), with its reason if it was given one", () => {
    expect(ending({ responses: [NEVER] }, (agent) => agent.abort())).toEqual({ outcome: "aborted" });
    expect(ending({ responses: [NEVER] }, (agent) => agent.abort("user"))).toEqual({
      outcome: "aborted",
      reason: "user",
    });
  });

  it("is failed after a provider's error, and has no reason", () => {
    expect(ending({ responses: [failure("overloaded")] })).toEqual({ outcome: "failed" });
  });

  it("is aborted when the provider ends aborted by itself, without a reason", () => {
    expect(ending({ responses: [failure("gone", "aborted")] })).toEqual({ outcome: "aborted" });
  });

  it("is failed when a failure comes within the grace of an abort: failure outranks abort", () => {
    const responses = [inTime$(failure("overloaded"))];
    expect(ending({ responses }, (agent) => agent.abort("user"))).toEqual({ outcome: "failed" });
  });

  it("is failed when a listener fails after an abort", () => {
    const fails: Step = (agent) => {
      let calls = 0;
      agent.subscribe(() => {
        if (calls++ === 0) throw new Error("boom");
      });
      agent.abort("user");
    };
    expect(ending({ responses: [NEVER] }, fails)).toEqual({ outcome: "failed" });
  });

  it("is failed when an abort follows a failure", () => {
    const aborts: Step = (agent) =>
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.abort("user");
      });
    const responses = [timer(20).pipe(map(() => terminal(failure("overloaded"))))];
    expect(ending({ responses }, aborts)).toEqual({ outcome: "failed" });
  });

  it("is aborted when an abort and a finishTurn that ends meet: abort outranks the end", () => {
    const finishTurn = () => timer(20).pipe(map(end("max turns")));
    expect(ending({ finishTurn }, (agent) => agent.abort("user"))).toEqual({
      outcome: "aborted",
      reason: "user",
    });
  });

  it("is aborted when the abort comes after finishTurn has ended the run, before agent_end", () => {
    const aborts: Step = (agent) =>
      agent.subscribe(({ type }) => {
        if (type === "turn_end") agent.abort("user");
      });
    const finishTurn = () => timer(20).pipe(map(end("max turns")));
    expect(ending({ finishTurn }, aborts)).toEqual({ outcome: "aborted", reason: "user" });
  });

  it("is aborted, with the first reason, after several aborts", () => {
    const twice: Step = (agent) => {
      agent.abort("first");
      agent.abort("second");
    };
    expect(ending({ responses: [NEVER] }, twice)).toEqual({ outcome: "aborted", reason: "first" });
  });

  it.each([0, "", false, null, { code: 7 }, new Error("why"), new DOMException("why", "TimeoutError")])(
    "keeps the reason %p as it was given",
    (reason) => {
      expect(ending({ responses: [NEVER] }, (agent) => agent.abort(reason)).reason).toBe(reason);
    },
  );

  it("keeps an AbortError that was given as the reason", () => {
    const reason = new DOMException("This operation was aborted", "AbortError");
    expect(ending({ responses: [NEVER] }, (agent) => agent.abort(reason)).reason).toBe(reason);
  });

  it("has no reason when the next run ends by itself", () => {
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      agent.prompt$("hello").subscribe();
      agent.abort("user");
      flush();
      agent.prompt$("again").subscribe();
      flush();
      expect(endOf(events)).not.toHaveProperty("reason");
    })();
  });

  it("stands beside the signal's reason, which tools and hooks see", () => {
    let signal: AbortSignal | undefined;
    const tools = [tool((_id, _args, given) => ((signal = given), NEVER))];
    ending({ responses: [calls("a")], tools }, (agent) => agent.abort("user"));
    expect(signal).toMatchObject({ aborted: true, reason: "user" });
  });
});
