import { describe, expect, it } from "@jest/globals";
import { concat, finalize, NEVER, of, take, timer } from "rxjs";
import type { AgentEvent } from "pi-agent-rx";
import { answer, calls, delta, lines, started, textOf, transcript, user } from "./support/messages";
import { faultsOf } from "./support/laws";
import { reply } from "./support/provider";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("prompt$", () => {
  it(
    "is cold: each subscription is a run",
    virtually(({ flush }) => {
      const { agent, requests } = setUp();
      const run$ = agent.prompt$("hello");
      flush();
      expect(requests).toHaveLength(0);
      run$.subscribe();
      flush();
      run$.subscribe();
      flush();
      expect(requests).toHaveLength(2);
      expect(transcript(agent.state.messages).filter((line) => line === "user hello")).toHaveLength(2);
    }),
  );

  it(
    "passes the run's events on, the first one synchronously, and completes when the run has settled",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      const seen: AgentEvent[] = [];
      const order: string[] = [];
      agent.subscribe(({ type }) => (type === "agent_end" ? timer(5) : undefined));
      agent.prompt$("hello").subscribe({
        next: (event) => seen.push(event),
        complete: () => order.push(`complete, streaming ${agent.state.isStreaming}`),
      });
      expect(lines(seen)).toEqual(["agent_start"]);
      flush();
      expect(seen).toEqual(events);
      expect(order).toEqual(["complete, streaming false"]);
    }),
  );

  it(
    "passes on no events of other runs",
    virtually(({ flush }) => {
      const { agent } = setUp();
      const seen: AgentEvent[] = [];
      agent.prompt$("hello").subscribe((event) => seen.push(event));
      flush();
      const { length } = seen;
      agent.prompt$("again").subscribe();
      flush();
      expect(seen).toHaveLength(length);
    }),
  );

  it(
    "takes what prompt() takes",
    virtually(({ flush }) => {
      const { agent } = setUp();
      const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
      for (const run$ of [
        agent.prompt$("look", [image]),
        agent.prompt$(user("one")),
        agent.prompt$([user("two"), user("three")]),
      ]) {
        run$.subscribe();
        flush();
      }
      expect(transcript(agent.state.messages).filter((line) => line.startsWith("user"))).toEqual([
        "user look",
        "user one",
        "user two",
        "user three",
      ]);
      expect(agent.state.messages[0]).toMatchObject({ content: [{ type: "text" }, image] });
    }),
  );

  it.each([1, 2, 5, 6, 8])(
    "unsubscribed after %i events aborts the run, which still settles lawfully",
    (count) =>
      virtually(({ flush }) => {
        const { agent, events, requests } = setUp({
          responses: [calls("a"), answer("bye")],
          tools: [tool(() => NEVER)],
          abortGraceMs: 50,
        });
        agent.prompt$("hello").pipe(take(count)).subscribe();
        flush();
        expect(lines(events).at(-1)).toBe("agent_end aborted");
        expect(faultsOf(events)).toEqual([]);
        expect(agent.state.isStreaming).toBe(false);
        expect(requests.length).toBeLessThan(2);
        agent.state.tools = [tool()];
        agent.prompt$("again").subscribe();
        flush();
        expect(lines(events).at(-1)).toBe("agent_end completed");
      })(),
  );

  it(
    "unsubscribed in mid-response keeps the transcript valid, with what had streamed",
    virtually(({ at, flush }) => {
      let left = 0;
      const { agent, events } = setUp({
        responses: [concat(of(started(), delta("half")), NEVER).pipe(finalize(() => left++))],
        abortGraceMs: 50,
      });
      const subscription = agent.prompt$("hello").subscribe();
      at(10, () => subscription.unsubscribe());
      flush();
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant aborted"]);
      expect(textOf(agent.state.messages.at(-1))).toBe("half");
      expect(lines(events).at(-1)).toBe("agent_end aborted");
      expect(left).toBe(1);
    }),
  );

  it(
    "unsubscribed when the run has settled does nothing to the next one",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      const subscription = agent.prompt$("hello").subscribe();
      flush();
      agent.prompt$("again").subscribe();
      subscription.unsubscribe();
      flush();
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );

  it(
    "errors while another run goes on, and leaves that run alone",
    virtually(({ flush }) => {
      const { agent, events } = setUp();
      const errors: Error[] = [];
      agent.prompt$("hello").subscribe();
      agent.prompt$("again").subscribe({ error: (error: Error) => errors.push(error) });
      agent.continue$().subscribe({ error: (error: Error) => errors.push(error) });
      flush();
      expect(errors.map(({ message }) => message)).toEqual([
        expect.stringMatching(/already processing a prompt/),
        expect.stringMatching(/already processing/),
      ]);
      expect(faultsOf(events)).toEqual([]);
    }),
  );

  it(
    "completes when the run has failed, and errors with what a listener threw too late to be told",
    virtually(({ flush }) => {
      const { agent } = setUp({ responses: [() => NEVER.pipe(take(0))] });
      const ended: unknown[] = [];
      const observer = {
        complete: () => ended.push("complete"),
        error: (error: Error) => ended.push(error.message),
      };
      agent.prompt$("fails").subscribe(observer);
      flush();
      agent.subscribe(({ type }) => {
        if (type === "agent_end") throw new Error("late");
      });
      agent.prompt$("rejects").subscribe(observer);
      flush();
      expect(ended).toEqual(["complete", "late"]);
    }),
  );
});

describe("continue$", () => {
  it(
    "is cold, and goes on from the transcript",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ initialState: { messages: [user("hello")] } });
      const run$ = agent.continue$();
      flush();
      expect(requests).toHaveLength(0);
      const seen: AgentEvent[] = [];
      run$.subscribe((event) => seen.push(event));
      flush();
      expect(requests).toHaveLength(1);
      expect(faultsOf(seen)).toEqual([]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
    }),
  );

  it(
    "takes queued messages on subscription, not before, and takes none when it errors",
    virtually(({ flush }) => {
      const { agent } = setUp({ initialState: { messages: [user("hello"), answer("hi")] } });
      agent.steer(user("more"));
      const run$ = agent.continue$();
      expect(agent.queued.steering).toHaveLength(1);
      agent.prompt$("meanwhile").subscribe();
      agent.clearAllQueues();
      agent.followUp(user("later"));
      const errors: unknown[] = [];
      run$.subscribe({ error: (error) => errors.push(error) });
      expect(errors).toHaveLength(1);
      expect(agent.queued.followUp).toHaveLength(1);
      flush();
    }),
  );

  it(
    "aborts by unsubscribing",
    virtually(({ at, flush }) => {
      const { agent, events } = setUp({
        initialState: { messages: [user("hello")] },
        responses: [reply(answer("slow"), 10)],
        abortGraceMs: 0,
      });
      const subscription = agent.continue$().subscribe();
      at(15, () => subscription.unsubscribe());
      flush();
      expect(lines(events).at(-1)).toBe("agent_end aborted");
    }),
  );
});
