import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentMessage } from "pi-agent-rx";
import { inject, keepLastTurns } from "pi-agent-rx/context";
import { BehaviorSubject, NEVER, of, Subject, throwError, timer } from "rxjs";
import { map } from "rxjs/operators";
import { assistant, call, model, system, toolResult, user } from "../support/fixtures";
import { answers } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { apply } from "./support/apply";
import { lines } from "./support/conversation";

const live = user("live");
const messages = [system("lead"), user("a"), assistant("b"), user("c"), assistant("d")];

describe("inject", () => {
  it.each([
    ["end", 5],
    ["beforeUser", 3],
    ["start", 1],
  ] as const)("puts messages at the %s", (at, place) => {
    expect(lines(apply(inject(of(live), { at }), messages))).toEqual(
      lines(messages).toSpliced(place, 0, "user: live"),
    );
  });

  it("takes the latest value there is, one message, several or none", () => {
    const state$ = new BehaviorSubject<AgentMessage | AgentMessage[] | undefined>(undefined);
    const context = inject(state$);
    expect(apply(context, [])).toEqual([]);
    state$.next(live);
    expect(lines(apply(context, []))).toEqual(["user: live"]);
    state$.next([live, assistant("seen")]);
    expect(lines(apply(context, []))).toEqual(["user: live", "assistant: seen"]);
    expect(state$.observed).toBe(false);
  });

  it("puts in nothing while the source has no value", () => {
    expect(apply(inject(NEVER), messages)).toEqual(messages);
    expect(apply(inject(new Subject<AgentMessage>()), messages)).toEqual(messages);
  });

  it("waits for what a function returns, and asks it for each request anew", () => {
    virtually(({ cold, expectObservable }) => {
      const found = (query: AgentMessage[]) => timer(3).pipe(map(() => user(`found for ${query.length}`)));
      const context$ = cold("a----b|", { a: [live], b: [live, live] }).pipe(inject(found), map(lines));
      expectObservable(context$).toBe("---a----(b|)", {
        a: ["user: live", "user: found for 1"],
        b: ["user: live", "user: live", "user: found for 2"],
      });
    });
  });

  it("lets go of a retrieval when the request is let go", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const retrieval$ = cold<AgentMessage>("-----a");
      expectObservable(cold("a", { a: messages }).pipe(inject(() => retrieval$)), "--!").toBe("---");
      expectSubscriptions(retrieval$.subscriptions).toBe("^-!");
    });
  });

  it("passes errors of both kinds of source on", () => {
    const failed = throwError(() => new Error("no state"));
    expect(() => apply(inject(failed), [])).toThrow("no state");
    expect(() =>
      apply(
        inject(() => failed),
        [],
      ),
    ).toThrow("no state");
  });

  it("never parts a call from its results", () => {
    const straddled = [user("a"), assistant([call("1")]), user("b"), toolResult("1")];
    expect(lines(apply(inject(of(live), { at: "beforeUser" }), straddled))[1]).toBe("user: live");
  });

  it("opens no turn and is not pruned by the operators behind it", () => {
    const context = inject(of(live), { at: "start" });
    expect(lines(apply(keepLastTurns(1), apply(context, messages)))).toEqual([
      "system: lead",
      "user: live",
      "user: c",
      "assistant: d",
    ]);
    expect(lines(apply(keepLastTurns(1), apply(inject(of(live)), messages)))).toEqual([
      "system: lead",
      "user: c",
      "assistant: d",
      "user: live",
    ]);
  });

  it("shows the model of an Agent what is true at each request, and the transcript keeps none of it", async () => {
    const state$ = new BehaviorSubject(user("1 file open"));
    const asked: string[][] = [];
    const answer = answers(assistant("ok"));
    const agent = new Agent({
      initialState: { model },
      streamFn: (_model, context) => (asked.push(lines(context.messages)), answer()),
      operators: { context: inject(state$) },
    });
    await agent.prompt("one");
    state$.next(user("2 files open"));
    await agent.prompt("two");
    expect(asked).toEqual([
      ["user: one", "user: 1 file open"],
      ["user: one", "assistant: ok", "user: two", "user: 2 files open"],
    ]);
    expect(lines(agent.state.messages)).not.toContain("user: 1 file open");
  });
});
