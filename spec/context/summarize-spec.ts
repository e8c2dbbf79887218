import { createAssistantMessageEventStream, type AssistantMessageEvent } from "@earendil-works/pi-ai";
import { describe, expect, it, jest } from "@jest/globals";
import { Agent, type AgentMessage, type ReactiveStreamFn } from "pi-agent-rx";
import { fitBudget, summarize, type SummarizeOptions } from "pi-agent-rx/context";
import { asyncScheduler, concat, EMPTY, map, NEVER, of, tap, throwError, timer } from "rxjs";
import { assistant, call, model, system, toolResult, user } from "../support/fixtures";
import { response, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";
import { apply } from "./support/apply";
import { lines, turn } from "./support/conversation";

/** Every message is one token; above eight, four are kept. */
const set = (streamFn: ReactiveStreamFn, options: Partial<SummarizeOptions> = {}) =>
  summarize({ streamFn, model, threshold: 8, estimate: () => 1, ...options });

/** A writer whose summaries are numbered, and what it was asked. */
function writer() {
  const asked: string[] = [];
  const streamFn: ReactiveStreamFn = (_model, { messages }) => {
    asked.push(lines(messages).at(-1)!.replace("user: ", ""));
    return response(assistant(`summary ${asked.length}`));
  };
  return { asked, streamFn };
}

const heading = "user: Summary of the conversation so far, in place of its beginning:\n\n";
const turns = (...names: string[]) => names.flatMap((name) => turn(name));
const transcript = turns("a", "b", "c", "d", "e", "f");

describe("summarize", () => {
  it("passes what is below the threshold and asks nobody", () => {
    const { asked, streamFn } = writer();
    const messages = turns("a", "b");
    expect(apply(set(streamFn), messages)).toBe(messages);
    expect(apply(set(streamFn), [])).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("replaces the oldest turns by a summary, system messages apart", () => {
    const messages = [system("s"), ...turns("a"), system("t"), ...turns("b", "c")];
    expect(lines(apply(set(writer().streamFn, { threshold: 10 }), messages))).toEqual([
      "system: s",
      `${heading}summary 1`,
      "system: t",
      ...lines(turns("c")),
    ]);
  });

  it("shows the writer the turns as text", () => {
    const { asked, streamFn } = writer();
    apply(set(streamFn), turns("a", "b", "c"));
    const paragraphs = (name: string) => [
      `User: ${name}`,
      `Assistant calls echo: {}`,
      "Result of echo: done",
      `Assistant: ${name} is done`,
    ];
    expect(asked).toEqual([[...paragraphs("a"), ...paragraphs("b")].join("\n\n")]);
  });

  it("shows the writer errors, pictures and an app's own messages, but no thinking, and long results in short", () => {
    const { asked, streamFn } = writer();
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const messages = [
      { ...user(""), content: [{ type: "text" as const, text: "see" }, image] },
      assistant([{ type: "thinking", thinking: "hm" }, call("1")]),
      toolResult("1", "x".repeat(2100), true),
      { role: "note", text: "n" } as unknown as AgentMessage,
      ...turns("b", "c"),
    ];
    apply(set(streamFn, { step: 0.3 }), messages);
    expect(asked[0]?.split("\n\n").slice(0, 4)).toEqual([
      "User: see\n[image/png]",
      "Assistant calls echo: {}",
      `Error of echo: ${"x".repeat(2000)} [100 characters more]`,
      'note: {"role":"note","text":"n"}',
    ]);
  });

  it("asks once per crossing, and each summary builds on the one before", () => {
    const { asked, streamFn } = writer();
    const context = set(streamFn);
    const requests = [1, 2, 3, 4, 5, 6].map((count) => lines(apply(context, transcript.slice(0, 4 * count))));
    expect(requests.map((request) => request[0])).toEqual([
      "user: a",
      "user: a",
      `${heading}summary 1`,
      `${heading}summary 2`,
      `${heading}summary 2`,
      `${heading}summary 3`,
    ]);
    apply(context, transcript);
    expect(asked).toHaveLength(3);
    expect(asked[1]).toContain("summary 1\n\nUser: c");
    expect(asked[1]).not.toContain("User: b");
  });

  it("leaves a summary in place while the requests stay below the threshold", () => {
    const { asked, streamFn } = writer();
    const context = set(streamFn);
    const messages = [...turns("a", "b", "c"), user("d"), assistant("e"), user("f")];
    const first = apply(context, messages.slice(0, 12));
    const then = apply(context, messages);
    expect(asked).toHaveLength(1);
    expect(then.slice(0, first.length)).toEqual(first);
    expect(then[0]).toBe(first[0]);
  });

  it("makes the request wait, and is let go with it", () => {
    const signals: (AbortSignal | undefined)[] = [];
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const answer = assistant("short");
      const writing$ = cold("s--d", { s: start(), d: terminal(answer) });
      const context = set((_model, _context, options) => (signals.push(options?.signal), writing$));
      const messages = turns("a", "b", "c");
      const request$ = () =>
        of(messages).pipe(
          context,
          map((request) => lines(request)[0]),
        );
      expectObservable(request$(), "--!").toBe("---");
      expectObservable(request$()).toBe("---(a|)", { a: `${heading}short` });
      expectSubscriptions(writing$.subscriptions).toBe(["^-!", "^--!"]);
    });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, false]);
  });

  it.each<[string, ReactiveStreamFn, string]>([
    [
      "throws",
      () => {
        throw new Error("down");
      },
      "down",
    ],
    ["rejects", () => Promise.reject(new Error("down")), "down"],
    ["errors", () => throwError(() => new Error("down")), "down"],
    [
      "ends with an error",
      () => response(assistant("", { stopReason: "error", errorMessage: "busy" })),
      "busy",
    ],
    [
      "ends with an error without a text",
      () => response(assistant("", { stopReason: "aborted" })),
      "the summary failed",
    ],
    ["says nothing", () => response(assistant(" ")), "the summary is empty"],
    ["ends too early", () => of(start()), "the summary ended too early"],
    ["never begins", () => EMPTY, "the summary ended too early"],
    [
      "returns no stream",
      () => 5 as never,
      "streamFn: expected an event stream, an async iterable or an observable, got 5",
    ],
  ])("leaves the turns out when the writer %s", async (_what, streamFn, error) => {
    const onError = jest.fn();
    const messages = turns("a", "b", "c");
    const request = await new Promise<AgentMessage[]>((resolve, reject) =>
      of(messages).pipe(set(streamFn, { onError })).subscribe({ next: resolve, error: reject }),
    );
    expect(lines(request)).toEqual(lines(turns("c")));
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: error })]]);
  });

  it("does not try a failed summary again before the next crossing, and then tells all", () => {
    const texts = ["one", "", "three"];
    const asked: string[] = [];
    const context = set((_model, { messages }) => {
      asked.push(lines(messages).at(-1)!);
      return response(assistant(texts[asked.length - 1]!));
    });
    const first = (count: number) => lines(apply(context, transcript.slice(0, count)))[0];
    expect([12, 16, 16, 20, 24].map(first)).toEqual(
      ["one", "one", "one", "one", "three"].map((text) => heading + text),
    );
    expect(asked).toHaveLength(3);
    expect(asked[2]).toContain("one\n\nUser: c");
    expect(asked[2]).toContain("User: d");
  });

  it("takes an event stream of pi's, and a promise of one", async () => {
    const streamFn = async () => {
      const stream = createAssistantMessageEventStream();
      for (const event of [start(), terminal(assistant("short"))] as AssistantMessageEvent[])
        stream.push(event);
      return stream;
    };
    const request = await new Promise<AgentMessage[]>((resolve, reject) =>
      of(turns("a", "b", "c"))
        .pipe(set(streamFn))
        .subscribe({ next: resolve, error: reject }),
    );
    expect(lines(request)[0]).toBe(`${heading}short`);
  });

  it("hands model, instructions and options to the writer", () => {
    const streamFn = jest.fn((..._args: Parameters<ReactiveStreamFn>) => response(assistant("short")));
    const small = { ...model, id: "tiny" };
    const options = { apiKey: "key", maxTokens: 50 };
    apply(set(streamFn, { model: () => small, instructions: "In one line.", options }), turns("a", "b", "c"));
    expect(streamFn).toHaveBeenCalledTimes(1);
    const [asked, { messages }, given] = streamFn.mock.calls[0]!;
    expect(asked).toBe(small);
    expect(messages[0]).toMatchObject({ role: "system", content: "In one line." });
    expect(given).toMatchObject({ ...options, signal: expect.any(AbortSignal) });
  });

  it("keeps transcripts apart, and forgets a summary whose messages are gone", () => {
    const { asked, streamFn } = writer();
    const context = set(streamFn);
    const [one, other] = [turns("a", "b", "c"), turns("x", "y", "z")];
    expect(lines(apply(context, one))[0]).toBe(`${heading}summary 1`);
    expect(lines(apply(context, other))[0]).toBe(`${heading}summary 2`);
    expect(lines(apply(context, one))[0]).toBe(`${heading}summary 1`);
    expect(lines(apply(context, one.slice(4)))).toEqual(lines(turns("b", "c")));
    expect(asked).toHaveLength(2);
  });

  it("does not ask at each request when a summary is itself above the threshold", () => {
    const { asked, streamFn } = writer();
    const estimate = (message: AgentMessage) => (lines([message])[0]!.startsWith(heading) ? 7 : 1);
    const context = set(streamFn, { estimate, step: 0.9 });
    const sizes = [12, 12, 13, 14, 16].map((count) => {
      apply(context, transcript.slice(0, count));
      return asked.length;
    });
    expect(sizes).toEqual([1, 1, 1, 1, 2]);
  });

  it("asks nobody when system messages leave no room", () => {
    const { asked, streamFn } = writer();
    const messages = [...Array.from({ length: 8 }, () => system("s")), ...turns("a", "b")];
    expect(apply(set(streamFn), messages)).toBe(messages);
    expect(asked).toEqual([]);
  });

  it("refuses odd options", () => {
    const { streamFn } = writer();
    expect(() => set(undefined as never)).toThrow("summarize: streamFn: expected a function");
    expect(() => set(streamFn, { model: undefined })).toThrow("summarize: model: expected a model");
    expect(() => set(streamFn, { step: 1 })).toThrow("summarize: step: expected a share");
    expect(() => set(streamFn, { threshold: 0 })).toThrow(
      "summarize: threshold: expected a number of tokens, got 0",
    );
  });

  it("is cancelled with an Agent's run, which stays usable", async () => {
    const signals: AbortSignal[] = [];
    const context = set((_model, _context, options) => {
      signals.push(options!.signal!);
      return signals.length === 1 ? NEVER : response(assistant("short"));
    });
    const asked: string[][] = [];
    const agent = new Agent({
      initialState: { model, messages: turns("a", "b", "c") },
      streamFn: (_model, { messages }) => (asked.push(lines(messages)), response(assistant("ok"))),
      operators: { context },
      abortGraceMs: 0,
    });
    const run = agent.prompt("d");
    await new Promise((resolve) => setImmediate(resolve));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    agent.abort();
    await run;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    expect(asked).toEqual([]);
    await agent.prompt("e");
    expect(asked[0]?.[0]).toBe(`${heading}short`);
    expect(asked[0]?.at(-1)).toBe("user: e");
  });

  it("is cancelled at once by the run's signal, and written when it is asked for again", () => {
    const signals: AbortSignal[] = [];
    const asked: string[][] = [];
    let endedAt: number | undefined;
    virtually(() => {
      const agent: Agent = new Agent({
        initialState: { model, messages: turns("a", "b", "c") },
        streamFn: (_model, { messages }) => (asked.push(lines(messages)), response(assistant("ok"))),
        operators: {
          context: set(
            (_model, _context, options) => {
              signals.push(options!.signal!);
              return signals.length === 1 ? NEVER : response(assistant("short"));
            },
            { signal: () => agent.signal },
          ),
        },
      });
      timer(3).subscribe(() => agent.abort());
      const end = () => (endedAt = asyncScheduler.now());
      concat(agent.prompt$("d").pipe(tap({ complete: end })), agent.prompt$("e")).subscribe();
    });
    expect(endedAt).toBe(3);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[0]).toBe(`${heading}short`);
  });

  it("asks rarely over a run of 200 turns, and fitBudget behind it has nothing to drop", async () => {
    const { asked, streamFn } = writer();
    const requests: string[][] = [];
    const context = summarize({ streamFn, model, threshold: 40, estimate: () => 1 });
    const agent = new Agent({
      initialState: { model },
      streamFn: (_model, { messages }) => (
        requests.push(messages.map((message) => JSON.stringify(message))),
        response(assistant("ok"))
      ),
      operators: {
        context: (messages$) => messages$.pipe(context, fitBudget({ budget: 40, estimate: () => 1 })),
      },
    });
    for (let turn = 0; turn < 200; turn++) await agent.prompt(`prompt ${turn}`);
    expect(requests).toHaveLength(200);
    const changes = requests.filter((now, at) =>
      requests[at - 1]?.some((message, index) => message !== now[index]),
    );
    expect(changes).toHaveLength(asked.length);
    expect(asked.length).toBeLessThanOrEqual(20);
    expect(asked.length).toBeGreaterThan(10);
    expect(agent.state.messages).toHaveLength(400);
  });
});
