import { describe, expect, it, jest } from "@jest/globals";
import { last, lastValueFrom, tap, toArray } from "rxjs";
import type { AgentEvent, AgentMessage } from "pi-agent-rx";
import { assistant, call, context, output, system, tool, user } from "../support/fixtures";
import { run, runChars } from "../support/loop";
import { answers, response, terminal, start } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const words = (fields: Parameters<typeof run>[0]) =>
  lastValueFrom(run(fields).pipe(runChars, toArray())).then((all) => all.join(""));
const asking = assistant([call("1")]);
const answer = assistant("done");
/** Gives each list once, then nothing. */
const queueOf = (...lists: AgentMessage[][]) => jest.fn(() => lists.shift() ?? []);

function stackDepth(): number {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 10_000;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = limit;
  return stack.split("\n").length;
}

describe("runLoop", () => {
  it("tells agent_start at once, and the rest one hop later", () => {
    const seen: string[] = [];
    run()
      .pipe(runChars)
      .subscribe((char) => seen.push(char));
    expect(seen).toEqual(["a"]);
  });

  it("tells of a run with one answer", async () => {
    await expect(words({})).resolves.toBe("atuUmMTz");
  });

  it("tells of a run with a tool call: two turns", async () => {
    const fields = { streamFn: answers(asking, answer) };
    await expect(words(fields)).resolves.toBe("atuUmMxXrRTtmMTz");
  });

  it("runs whole turns in virtual time", () => {
    virtually(({ cold, expectObservable }) => {
      const replies = [
        cold("--------s----d", { s: start(), d: terminal(asking) }),
        cold("--------d", { d: terminal(answer) }),
      ];
      const tools = [tool("echo", () => cold("-----v|", { v: output("v") }))];
      const events$ = run({ context: context([], tools), streamFn: () => replies.shift()! });
      const expected = "(atsSuU)m----(Mx)-y(XrRTt)-(mMTz|)";
      expectObservable(events$.pipe(runChars)).toBe(expected);
    });
  });

  it("goes on without prompts from the transcript it is given", async () => {
    await expect(words({ prompts: undefined, context: context([user("hi")]) })).resolves.toBe("atmMTz");
  });

  it("tells agent_end with the messages that the run added", async () => {
    const prompt = user("hi");
    const end = await lastValueFrom(
      run({ prompts: [prompt], context: context([system("be brief")]) }).pipe(last()),
    );
    expect(end).toMatchObject({
      type: "agent_end",
      outcome: "completed",
      messages: [prompt, { role: "assistant" }],
    });
    expect(end).not.toHaveProperty("reason");
  });

  it("takes steering before the first request, and between turns", async () => {
    const getSteeringMessages = queueOf([user("early")], [user("late")]);
    await expect(words({ config: { getSteeringMessages } })).resolves.toBe("atuUuUmMTtuUmMTz");
  });

  it("takes follow-ups when it would stop, as long as there are some", async () => {
    const getFollowUpMessages = queueOf([user("one"), user("two")], [user("three")]);
    await expect(words({ config: { getFollowUpMessages } })).resolves.toBe("atuUmMTtuUuUmMTtuUmMTz");
  });

  it("takes prepared messages before queued ones", async () => {
    const texts: unknown[] = [];
    const config = {
      getFollowUpMessages: queueOf([user("queued")]),
      prepareNextTurn: () => ({ messages: [user("prepared")] }),
    };
    const note = tap((event: AgentEvent) => {
      if (event.type === "message_end" && event.message.role === "user") texts.push(event.message.content);
    });
    await lastValueFrom(run({ config }).pipe(note));
    expect(texts).toEqual(["hi", "prepared", "queued"]);
  });

  it("ends like stop after a response that stopped for tool use without a call", async () => {
    const streamFn = jest.fn(answers(assistant("no call", { stopReason: "toolUse" })));
    await expect(words({ streamFn })).resolves.toBe("atuUmMTz");
    expect(streamFn).toHaveBeenCalledTimes(1);
  });

  it("takes nothing more after a response that failed", async () => {
    const config = { getFollowUpMessages: queueOf([user("later")]) };
    const streamFn = answers(assistant("", { stopReason: "error" }));
    await expect(words({ config, streamFn })).resolves.toBe("atuUmMTz");
    expect(config.getFollowUpMessages).not.toHaveBeenCalled();
  });

  it("goes on once when finishTurn says so, and ends when it says so", async () => {
    const decisions = [{ action: "continue" as const }];
    await expect(words({ config: { finishTurn: () => decisions.shift() } })).resolves.toBe("atuUmMTtmMTz");
    const config = {
      finishTurn: () => ({ action: "end" as const }),
      getFollowUpMessages: queueOf([user("later")]),
    };
    await expect(words({ config })).resolves.toBe("atuUmMTz");
    expect(config.getFollowUpMessages).not.toHaveBeenCalled();
  });

  it("stops after a batch whose results all terminate", async () => {
    const results = [true, true, true, false];
    const tools = [tool("echo", () => output("v", { terminate: results.shift()! }))];
    const twice = assistant([call("1"), call("1")]);
    const streamFn = jest.fn(() => response(twice));
    await words({ context: context([], tools), streamFn });
    expect(streamFn).toHaveBeenCalledTimes(1);
    const again = jest.fn(answers(twice, answer));
    await words({ context: context([], tools), streamFn: again });
    expect(again).toHaveBeenCalledTimes(2);
  });

  it("stays flat over 20,000 synchronous turns", async () => {
    let turns = 0;
    const config = {
      convertToLlm: (messages: AgentMessage[]) => messages.slice(-1) as never,
      finishTurn: () => (++turns < 20_000 ? { action: "continue" as const } : undefined),
    };
    const depths: number[] = [];
    const streamFn = () => {
      if (turns === 1 || turns === 19_999) depths.push(stackDepth());
      return response(assistant("again"));
    };
    const end = await lastValueFrom(run({ config, streamFn }));
    expect(end).toMatchObject({ type: "agent_end", outcome: "completed" });
    expect(turns).toBe(20_000);
    expect(depths[1]).toBe(depths[0]);
  }, 30_000);

  it("stays flat over 10,000 queued messages taken at once", async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => user(`${n}`));
    const config = { getSteeringMessages: queueOf([], many), convertToLlm: () => [] };
    const end = await lastValueFrom(run({ config }));
    expect((end as { messages: unknown[] }).messages).toHaveLength(10_003);
  });
});
