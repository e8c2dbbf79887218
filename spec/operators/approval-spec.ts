import { describe, expect, it } from "@jest/globals";
import { Agent } from "pi-agent-rx";
import { approval, conversation, type ApprovalDecision, type PendingApproval } from "pi-agent-rx/operators";
import { asyncScheduler, map, NEVER, of, Subject, timer } from "rxjs";
import { assistant, call, model, output, tool } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { callRequest } from "./support/policies";

const results = { a: output("a") };
const yes = (toolCallId: string): ApprovalDecision => ({ toolCallId, action: "approve" });
const picky = tool("echo", () => output("ran"), {
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
});

/** An agent that asks about its calls, and what it ran with which arguments. */
function setUp(...ids: string[]) {
  const ran: unknown[] = [];
  const decisions$ = new Subject<ApprovalDecision>();
  const toolCall = approval(decisions$);
  const echo = { ...picky, execute: (id: string, args: unknown) => (ran.push([id, args]), output("ran")) };
  const agent = new Agent({
    initialState: { model, tools: [echo] },
    streamFn: answers(assistant(ids.map((id) => call(id, "echo", { path: id }))), assistant("bye")),
    operators: { toolCall },
    abortGraceMs: 5,
  });
  let pending: readonly PendingApproval[] = [];
  toolCall.pending$.subscribe((value) => (pending = value));
  const texts = () =>
    agent.state.messages.flatMap((message) =>
      message.role === "toolResult"
        ? message.content.map((block) => (block.type === "text" ? block.text : ""))
        : [],
    );
  return { agent, decisions$, toolCall, ran, texts, pending: () => pending };
}

describe("approval", () => {
  it("holds a call until it is approved", () =>
    virtually(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const decisions$ = hot("-n-y-y", { n: yes("other"), y: yes("1") });
      const result$ = cold("-a|", results);
      expectObservable(result$.pipe(approval(decisions$)(callRequest()))).toBe("----a|", results);
      expectSubscriptions(result$.subscriptions).toBe("---^-!");
      expectSubscriptions(decisions$.subscriptions).toBe("^--!");
    }));

  it("asks about no call that needs none", () =>
    virtually(({ cold, expectObservable }) => {
      const policy = approval(NEVER, { needed: () => false });
      expectObservable(cold("-a|", results).pipe(policy(callRequest()))).toBe("-a|", results);
      expectObservable(policy.pending$).toBe("e", { e: [] });
    }));

  it("fails a call that is denied, or that nobody decides about", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold("a|", results);
      const deny = (reason?: string): ApprovalDecision => ({ toolCallId: "1", action: "deny", reason });
      const denied = (decision: ApprovalDecision) => result$.pipe(approval(of(decision))(callRequest()));
      expectObservable(denied(deny("too risky"))).toBe("#", {}, new Error("too risky"));
      expectObservable(denied(deny())).toBe("#", {}, new Error('The user denied "echo"'));
      const undecided$ = result$.pipe(approval(cold<ApprovalDecision>("-|"))(callRequest()));
      expectObservable(undecided$).toBe("-#", {}, new Error('Nobody decided about "echo"'));
      expectSubscriptions(result$.subscriptions).toBe([]);
    }));

  it("tells which calls wait, and forgets one that is left", () =>
    virtually(({ cold, hot, expectObservable }) => {
      const policy = approval(hot("-------y", { y: yes("2") }));
      const one = { toolCallId: "1", toolName: "echo", args: { path: "a" } };
      const two = { ...one, toolCallId: "2" };
      expectObservable(policy.pending$).toBe("e-(ab)-c-e", { e: [], a: [one], b: [one, two], c: [one] });
      const calls = ["1", "2"].map((id) => cold("a|", results).pipe(policy(callRequest(id))));
      expectObservable(calls[0]!, "--^------!").toBe("");
      expectObservable(calls[1]!, "--^").toBe("-------a|", results);
    }));

  it("decides about many calls of an agent at once, in any order", () => {
    const { agent, decisions$, ran, texts, pending } = setUp("1", "2", "3");
    virtually(() => {
      agent.prompt$("x").subscribe();
      timer(1).subscribe(() =>
        expect(pending().map(({ toolCallId }) => toolCallId)).toEqual(["1", "2", "3"]),
      );
      timer(2).subscribe(() => decisions$.next(yes("3")));
      timer(3).subscribe(() => decisions$.next({ toolCallId: "1", action: "deny", reason: "no" }));
      timer(4).subscribe(() => decisions$.next(yes("2")));
    });
    expect(ran).toEqual([
      ["3", { path: "3" }],
      ["2", { path: "2" }],
    ]);
    expect(texts()).toEqual(["no", "ran", "ran"]);
    expect(pending()).toEqual([]);
  });

  it("runs a call with the arguments it was edited to, once they are valid", () => {
    const { agent, decisions$, ran, pending } = setUp("1");
    virtually(() => {
      agent.prompt$("x").subscribe();
      timer(1).subscribe(() => decisions$.next({ toolCallId: "1", action: "edit", args: {} }));
      timer(2).subscribe(() => {
        expect(pending()).toHaveLength(1);
        expect(pending()[0]?.error).toContain("path");
        decisions$.next({ toolCallId: "1", action: "edit", args: { path: "b" } });
      });
    });
    expect(ran).toEqual([["1", { path: "b" }]]);
    expect(agent.state.messages.find(({ role }) => role === "assistant")).toMatchObject({
      content: [{ arguments: { path: "1" } }],
    });
  });

  it("takes a decision about an id that two calls share for the oldest", () => {
    const { agent, decisions$, ran, pending } = setUp("1", "1");
    virtually(() => {
      agent.prompt$("x").subscribe();
      timer(1).subscribe(() => decisions$.next(yes("1")));
      timer(2).subscribe(() => {
        expect(ran).toHaveLength(1);
        expect(pending()).toHaveLength(1);
        decisions$.next(yes("1"));
      });
    });
    expect(ran).toHaveLength(2);
  });

  it("lets go of calls that wait at once when the run is aborted", () => {
    const { agent, decisions$, ran, texts, pending } = setUp("1", "2");
    let endedAt: number | undefined;
    virtually(() => {
      agent.prompt$("x").subscribe({ complete: () => (endedAt = asyncScheduler.now()) });
      timer(1).subscribe(() => agent.abort());
      timer(2).subscribe(() => decisions$.next(yes("1")));
    });
    expect(endedAt).toBe(1);
    expect(ran).toEqual([]);
    expect(texts()).toEqual(["Operation aborted", "Operation aborted"]);
    expect(pending()).toEqual([]);
  });

  it("is seen in the conversation", () => {
    const { agent, decisions$, toolCall } = setUp("1");
    const states: string[] = [];
    virtually(() => {
      agent.events$
        .pipe(
          conversation([], { pending$: toolCall.pending$ }),
          map(({ items }) => items.find((item) => item.kind === "toolCall")),
        )
        .subscribe((item) => item && item.state !== states.at(-1) && states.push(item.state));
      agent.prompt$("x").subscribe();
      timer(1).subscribe(() => decisions$.next(yes("1")));
    });
    expect(states).toEqual(["waiting", "running", "approval", "running", "done"]);
  });
});
