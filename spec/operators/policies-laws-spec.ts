import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type AnyToolResult } from "pi-agent-rx";
import { repair } from "pi-agent-rx/context";
import {
  approval,
  composePolicies,
  idleTimeout,
  limits,
  memoizeTool,
  RateBudget,
  rateLimit,
  retryResponse,
  retryTool,
  toolTimeout,
  totalTimeout,
  type ApprovalDecision,
} from "pi-agent-rx/operators";
import { verifyRun } from "pi-agent-rx/testing";
import fc from "fast-check";
import { asyncScheduler, concat, delay, NEVER, Observable, of, Subject, throwError, timer } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { delta, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

type Events = Observable<AssistantMessageEvent>;

/** What a provider may do, each time it is asked. */
const ANSWERS: Record<string, (id: number) => Events> = {
  answers: () => of(start(), delta("hi"), terminal(assistant("hi"))).pipe(delay(3)),
  asks: (id) => of(start(), terminal(assistant([call(`${id}a`), call(`${id}b`, "echo", { id })]))),
  asksAgain: (id) => of(start(), terminal(assistant([call(`${id}a`)]))).pipe(delay(1)),
  overloaded: () => of(terminal(assistant("", { stopReason: "error", errorMessage: "503 overloaded" }))),
  refuses: () => of(start(), terminal(assistant("", { stopReason: "error", errorMessage: "401" }))),
  breaksOff: () =>
    concat(
      of(start(), delta("h")),
      throwError(() => new Error("503 gone")),
    ),
  throws: () => throwError(() => new Error("503 never came")),
  stalls: () => NEVER,
  stallsLater: () => concat(of(start(), delta("h")), NEVER),
};

const TOOLS: Record<string, () => Observable<AnyToolResult>> = {
  works: () => of(output("done")),
  takesTime: () => concat(of(output("half")), of(output("all")).pipe(delay(4))),
  fails: () => throwError(() => new Error("no")),
  saysItFails: () => of(output("no", { isError: true })),
  stalls: () => NEVER,
};

const scripts = fc.record({
  answers: fc.array(fc.constantFrom(...Object.keys(ANSWERS)), { minLength: 1, maxLength: 8 }),
  tools: fc.array(fc.constantFrom(...Object.keys(TOOLS)), { minLength: 1, maxLength: 4 }),
  decisions: fc.array(
    fc.constantFrom("approve" as const, "deny" as const, "edit" as const, "nothing" as const),
    { minLength: 1, maxLength: 4 },
  ),
  // Within the waits of a retry, of timeouts and of users; and within the wait for a minute's budget.
  abortAt: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 200_000 })),
});
type Script = typeof scripts extends fc.Arbitrary<infer T> ? T : never;

const response = () =>
  composePolicies(
    idleTimeout(50),
    rateLimit(new RateBudget({ requestsPerMinute: 3 })),
    retryResponse({ attempts: 3, backoff: 10, jitter: 0 }),
    totalTimeout(100_000),
  );

const again = () =>
  composePolicies(toolTimeout(20), retryTool({ attempts: 2, backoff: 5, jitter: 0 }), memoizeTool());

/** An approval, decided about by a user who takes a while, and forgets some. */
function decided(decisions: Script["decisions"]) {
  const decisions$ = new Subject<ApprovalDecision>();
  const asks = approval(decisions$);
  const asked = new Set<string>();
  asks.pending$.subscribe((calls) => {
    for (const { toolCallId } of calls.filter((call) => !asked.has(call.toolCallId))) {
      const action = decisions[asked.size % decisions.length]!;
      asked.add(toolCallId);
      if (action === "nothing") continue;
      const args = action === "edit" ? { edited: true } : undefined;
      timer(5).subscribe(() => decisions$.next({ toolCallId, action, args }));
    }
  });
  return asks;
}

/** A run under all policies at once, aborted at some time or other. */
function play({ answers, tools, decisions, abortAt }: Script) {
  const seen = { late: 0, open: 0, most: 0, requests: 0, pending: -1, endedAt: -1 };
  const violations: unknown[] = [];
  let aborted = false;
  let ran = 0;
  const echo = tool("echo", () => {
    if (aborted) seen.late++;
    return TOOLS[tools[ran++ % tools.length]!]!();
  });
  const ask = () =>
    new Observable<AssistantMessageEvent>((subscriber) => {
      if (aborted) seen.late++;
      seen.most = Math.max(seen.most, ++seen.open);
      subscriber.add(() => seen.open--);
      subscriber.add(ANSWERS[answers[seen.requests] ?? "answers"]!(seen.requests++).subscribe(subscriber));
    });
  const asks = decided(decisions);
  const agent = new Agent({
    initialState: { model, tools: [echo] },
    streamFn: ask,
    operators: { response: response(), toolCall: composePolicies(again(), asks) },
    finishTurn: limits({ turns: 6, toolCalls: 9 }),
    abortGraceMs: 10,
  });
  virtually(() => {
    agent.events$.pipe(verifyRun()).subscribe({ error: (violation) => violations.push(violation) });
    asks.pending$.subscribe((calls) => (seen.pending = calls.length));
    agent.prompt$("x").subscribe({ complete: () => (seen.endedAt = asyncScheduler.now()) });
    timer(abortAt).subscribe(() => {
      aborted = true;
      agent.abort();
    });
  });
  return { ...seen, violations, messages: agent.state.messages };
}

describe("the laws of a run under all policies", () => {
  it("hold whatever providers, tools and users do, and whenever it is aborted", () => {
    let [completed, most] = [0, 0];
    fc.assert(
      fc.property(scripts, (script) => {
        const { messages, requests, endedAt, ...seen } = play(script);
        expect(seen).toEqual({ violations: [], late: 0, open: 0, most: Math.min(requests, 1), pending: 0 });
        expect(endedAt).toBeGreaterThanOrEqual(0);
        expect(endedAt).toBeLessThanOrEqual(script.abortAt + 10);
        const wrong = repair(messages).repairs.filter(({ kind }) => !/^dropped(Calls|Message)$/.test(kind));
        expect(wrong).toEqual([]);
        if (endedAt < script.abortAt) completed++;
        most = Math.max(most, requests);
      }),
      { numRuns: 150 },
    );
    expect(completed).toBeGreaterThan(10);
    expect(most).toBeGreaterThan(3);
  });
});
