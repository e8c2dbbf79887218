import type { AssistantMessage } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent, type AgentMessage, type ReactiveAgentOptions } from "pi-agent-rx";
import { conversation, type ConversationItem, type ConversationView } from "pi-agent-rx/operators";
import { concat, delay, from, map, NEVER, of, Subject, timer } from "rxjs";
import { assistant, call, model, output, tool, toolResult, user } from "../support/fixtures";
import { answers, delta, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { event } from "./support/events";

const one = call("1", "echo", { path: "a" });
const two = call("2", "echo", { path: "b" });

function inShort(item: ConversationItem): string {
  switch (item.kind) {
    case "text":
    case "thinking":
      return `${item.id} ${item.kind} ${item.text}${item.isStreaming ? "…" : ""}`;
    case "toolCall":
      return `${item.id} ${item.toolName} ${item.state}`;
    case "failure":
      return `${item.id} ${item.stopReason}: ${item.text}`;
    default:
      return `${item.id} ${item.kind}`;
  }
}
const lines = ({ items }: ConversationView) => items.map(inShort);

/** The view after each event. */
function viewsOf(events: AgentEvent[], seed: AgentMessage[] = []): ConversationView[] {
  const views: ConversationView[] = [];
  from(events)
    .pipe(conversation(seed))
    .subscribe((view) => views.push(view));
  return views;
}

/** The last view of a run of an agent. */
function viewOf(options: ReactiveAgentOptions, act: (agent: Agent) => void): ConversationView {
  let last: ConversationView | undefined;
  virtually(() => {
    const agent = new Agent({ ...options, initialState: { model, ...options.initialState } });
    agent.events$.pipe(conversation(agent.state)).subscribe((view) => (last = view));
    act(agent);
  });
  return last!;
}

const partialOf = (text: string): AssistantMessage => assistant(text, { stopReason: "stop" });

describe("conversation", () => {
  it("shows a transcript at once", () => {
    const transcript = [
      user("hi"),
      assistant([{ type: "thinking", thinking: "hm" }, { type: "text", text: "yes" }, one, two]),
      toolResult("1"),
      toolResult("2", "no", true),
      assistant("", { stopReason: "error", errorMessage: "overloaded" }),
    ];
    const [view] = viewsOf([], transcript);
    expect(lines(view!)).toEqual([
      "m0 user",
      "m1.0 thinking hm",
      "m1.1 text yes",
      "m1.2 echo done",
      "m1.3 echo failed",
      "m4.end error: overloaded",
    ]);
  });

  it("follows an answer, its calls and their results", () =>
    virtually(({ cold, expectObservable }) => {
      const asks = assistant([{ type: "text", text: "ab" }, one]);
      const events$ = cold("-sabmxue1|", {
        s: event.start(assistant([])),
        a: event.update(partialOf("a")),
        b: event.update(partialOf("ab")),
        m: event.end(asks),
        x: event.toolStart(one),
        u: event.toolUpdate(one, "half"),
        e: event.toolEnd(one),
        "1": event.result(one),
      });
      const text = "m0.0 text ab";
      expectObservable(events$.pipe(conversation(), map(lines))).toBe("0sabmxue-|", {
        0: [],
        s: [],
        a: ["m0.0 text a…"],
        b: [`${text}…`],
        m: [text, "m0.1 echo waiting"],
        x: [text, "m0.1 echo running"],
        u: [text, "m0.1 echo running"],
        e: [text, "m0.1 echo done"],
      });
    }));

  it("gives a new identity to what changed, and to nothing else", () => {
    const views = viewsOf(
      [
        event.end(assistant([one, two])),
        event.toolStart(one),
        event.toolStart(two),
        event.toolUpdate(two, "half"),
        event.toolEnd(one),
      ],
      [user("hi"), assistant("hello")],
    );
    expect(views).toHaveLength(6);
    const [, , , running, updated, ended] = views.map(({ items }) => items);
    expect(updated!.map((item, at) => item === running![at])).toEqual([true, true, true, false]);
    expect(ended!.map((item, at) => item === updated![at])).toEqual([true, true, false, true]);
    expect(views[5]!.settled).toBe(views[1]!.settled);
  });

  it("shows all of an answer, also when updates of it were left out", () => {
    const content: AssistantMessage["content"] = [
      { type: "text", text: "a" },
      { type: "thinking", thinking: "b" },
      { ...one },
    ];
    const partial = { ...assistant([]), content };
    const events$ = new Subject<AgentEvent>();
    let seen: string[] = [];
    events$.pipe(conversation(), map(lines)).subscribe((shown) => (seen = shown));
    events$.next(event.start(partial));
    content.splice(0, 2, { type: "text", text: "aa" }, { type: "thinking", thinking: "bb" });
    events$.next(event.update(partial, "thinking_delta", "b", 1));
    expect(seen).toEqual(["m0.0 text aa", "m0.1 thinking bb", "m0.2 echo writing"]);
    content.splice(0, 3, { type: "text", text: "aaa" }, { type: "thinking", thinking: "bbb" }, two);
    events$.next(event.update(partial, "text_delta", "a", 0));
    expect(seen.slice(0, 2)).toEqual(["m0.0 text aaa", "m0.1 thinking bbb"]);
  });

  it("does the same work for a delta, however long the conversation is", () => {
    const reads = (length: number) => {
      let count = 0;
      const content = new Proxy([{ type: "text" as const, text: "" }], {
        get: (target, key) => {
          count++;
          return Reflect.get(target, key) as unknown;
        },
      });
      const seed = Array.from({ length }, (_, n) => (n % 2 ? assistant("a") : user("u")));
      const watched = seed.map(
        (message) =>
          new Proxy(message, {
            get: (target, key) => {
              count++;
              return Reflect.get(target, key) as unknown;
            },
          }),
      );
      const events$ = new Subject<AgentEvent>();
      const settled = new Set<unknown>();
      events$.pipe(conversation(watched)).subscribe((view) => settled.add(view.settled));
      const partial = { ...assistant([]), content };
      events$.next(event.start(partial));
      settled.clear();
      count = 0;
      for (let n = 0; n < 100; n++) events$.next(event.update({ ...partial }, "text_delta", "x"));
      expect(settled.size).toBe(1);
      return count;
    };
    expect(reads(2000)).toBe(reads(2));
    expect(reads(2)).toBeLessThanOrEqual(500);
  });

  it("shows a late subscriber what one sees who was there from the start", () => {
    const events: AgentEvent[] = [];
    const finals: (ConversationView | undefined)[] = [];
    virtually(() => {
      const echo = tool("echo", () => concat(of(output("half")), timer(3).pipe(map(() => output("all")))));
      const asks = assistant([{ type: "text", text: "ab" }, one, two]);
      const replies = [
        () => of(start(assistant([])), delta("a"), delta("ab"), terminal(asks)).pipe(delay(1)),
        () => of(start(assistant([])), delta("b"), terminal(assistant("bye"))),
      ];
      let request = 0;
      const agent = new Agent({
        initialState: { model, tools: [echo] },
        streamFn: () => replies[request++ % 2]!(),
      });
      const join = () => {
        const at = finals.push(undefined) - 1;
        agent.events$.pipe(conversation(agent.state)).subscribe((view) => (finals[at] = view));
      };
      join();
      agent.subscribe(() => join());
      agent.events$.subscribe((value) => {
        events.push(value);
        join();
      });
      concat(agent.prompt$("one"), agent.prompt$("two")).subscribe();
    });
    expect(events.length).toBeGreaterThan(40);
    expect(lines(finals[0]!)).toEqual([
      "m0 system",
      "m1 user",
      "m2.0 text ab",
      "m2.1 echo done",
      "m2.2 echo done",
      "m5.0 text bye",
      "m6 user",
      "m7.0 text ab",
      "m7.1 echo done",
      "m7.2 echo done",
      "m10.0 text bye",
    ]);
    for (const view of finals) expect(lines(view!)).toEqual(lines(finals[0]!));
    expect(finals).toHaveLength(2 * events.length + 1);
  });

  it("shows an aborted answer as far as it came", () => {
    const streamFn = () => concat(of(start(assistant([])), delta("a")), NEVER);
    const view = viewOf({ streamFn }, (agent) => {
      agent.prompt$("x").subscribe();
      timer(5).subscribe(() => agent.abort("enough"));
    });
    expect(lines(view)).toEqual(["m0 user", "m1.0 text a", "m1.end aborted: Request was aborted"]);
    expect(view).toMatchObject({ isRunning: false, outcome: "aborted", reason: "enough" });
  });

  it("never runs the calls of an answer that broke off", () => {
    const partial = assistant([{ type: "text", text: "a" }, one]);
    const view = viewOf(
      { streamFn: () => concat(of(start(partial)), of({ ...delta("a"), partial }), NEVER) },
      (agent) => {
        agent.prompt$("x").subscribe();
        timer(5).subscribe(() => agent.abort());
      },
    );
    expect(lines(view).slice(1, 3)).toEqual(["m1.0 text a", "m1.1 echo skipped"]);
  });

  it("replaces what had streamed when a response is made again", () => {
    const first = assistant([{ type: "text", text: "old" }, one]);
    const again = partialOf("new");
    const views = viewsOf([event.start(first), event.update(first), event.update(again), event.end(again)]);
    expect(views.map(lines).slice(-2)).toEqual([["m0.0 text new…"], ["m0.0 text new"]]);
  });

  it("shows how several runs went", () => {
    const view = viewOf(
      { streamFn: answers(assistant("", { stopReason: "error", errorMessage: "no" }), assistant("bye")) },
      (agent) => concat(agent.prompt$("one"), agent.prompt$("two")).subscribe(),
    );
    expect(lines(view)).toEqual(["m0 user", "m1.end error: no", "m2 user", "m3.0 text bye"]);
    expect(view).toMatchObject({ isRunning: false, outcome: "completed", reason: undefined });
  });

  it("shows messages that wait for their turn", () => {
    const waiting = user("later");
    const shown: string[][] = [];
    virtually(() => {
      const agent = new Agent({
        initialState: { model },
        streamFn: () => of(start(), terminal(assistant("hi"))).pipe(delay(2)),
      });
      const queued$ = agent.state$.pipe(map(({ queued }) => queued));
      agent.events$.pipe(conversation(agent.state, { queued$ })).subscribe((view) => shown.push(lines(view)));
      agent.prompt$("x").subscribe();
      timer(1).subscribe(() => agent.followUp(waiting));
    });
    expect(shown).toContainEqual(["m0 user", "q0 queued"]);
    expect(shown.at(-1)).toEqual(["m0 user", "m1.0 text hi", "m2 user", "m3.0 text hi"]);
  });

  it("shows which calls wait for a decision", () =>
    virtually(({ cold, expectObservable }) => {
      const events$ = cold("-mab---e|", {
        m: event.end(assistant([one, two])),
        a: event.toolStart(one),
        b: event.toolStart(two),
        e: event.toolEnd(two),
      });
      const pending$ = cold("----p-n----p", { p: [{ toolCallId: "2" }], n: [] });
      const states$ = events$.pipe(
        conversation([], { pending$ }),
        map(({ items }) => items.map((item) => (item.kind === "toolCall" ? item.state : item.kind)).join()),
      );
      expectObservable(states$).toBe("imabp-be|", {
        i: "",
        m: "waiting,waiting",
        a: "running,waiting",
        b: "running,running",
        p: "running,approval",
        e: "running,done",
      });
    }));

  it("passes the source's error and an early unsubscription", () =>
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      expectObservable(cold<never>("-#").pipe(conversation(), map(lines))).toBe("0#", { 0: [] });
      const left$ = cold<never>("---|");
      expectObservable(left$.pipe(conversation(), map(lines)), "^-!").toBe("0--", { 0: [] });
      expectSubscriptions(left$.subscriptions).toBe("^-!");
    }));

  it("shows messages of the app and results without their calls", () => {
    const notice = { role: "notice", text: "moved", timestamp: 0 } as unknown as AgentMessage;
    const last = viewsOf([event.end(notice), event.result(one)]).at(-1);
    expect(lines(last!)).toEqual(["m0 custom", "c1.1 echo done"]);
  });
});
