import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { EMPTY, lastValueFrom, take, toArray } from "rxjs";
import { agentRun, setDefaultStreamFn, type ReactiveStreamFn } from "pi-agent-rx";
import { assistant, call, context, output, system, tool, user } from "../support/fixtures";
import { run, runChars } from "../support/loop";
import { answers, start } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("agentRun", () => {
  afterEach(() => setDefaultStreamFn(undefined));

  it("is cold: nothing happens before somebody subscribes, and each subscription is a run", async () => {
    const streamFn = jest.fn<ReactiveStreamFn>(answers(assistant("done")));
    const run$ = run({ streamFn });
    await settled();
    expect(streamFn).not.toHaveBeenCalled();
    const [one, two] = await Promise.all([run$, run$].map((each$) => lastValueFrom(each$.pipe(toArray()))));
    expect(streamFn).toHaveBeenCalledTimes(2);
    expect(one).toHaveLength(two!.length);
  });

  it("leaves the given context as it was when it has prompts", async () => {
    const given = context([system("be brief")], [tool()]);
    await lastValueFrom(run({ context: given }));
    expect(given).toEqual(
      context([system("be brief")], [expect.objectContaining({ name: "echo" })] as never),
    );
  });

  it("adds to the given transcript when it continues, as in pi", async () => {
    const given = context([user("hi")]);
    await lastValueFrom(run({ prompts: undefined, context: given }));
    expect(given.messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  it("takes the default stream function when a run starts, and says so when there is none", async () => {
    const run$ = run({ streamFn: undefined });
    await expect(lastValueFrom(run$)).rejects.toThrow("streamFn is required");
    setDefaultStreamFn(answers(assistant("done")));
    await expect(lastValueFrom(run$)).resolves.toMatchObject({ outcome: "completed" });
  });

  it("refuses bad options before anybody subscribes", () => {
    expect(() => run({ prompts: "hi" as never })).toThrow('prompts: expected an array of messages, got "hi"');
    expect(() => agentRun(undefined as never)).toThrow(/options/);
  });

  it("takes empty prompts: a turn on the transcript as it is", async () => {
    const chars = await lastValueFrom(run({ prompts: [] }).pipe(runChars, toArray()));
    expect(chars.join("")).toBe("atmMTz");
  });

  it("leaves provider and tools when it is left, and aborts their signals", () => {
    virtually(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const [provider$, tool$] = [
        cold("------s---", { s: start() }),
        cold("---------v----", { v: output("v") }),
      ];
      const signals: (AbortSignal | undefined)[] = [];
      const asking = run({ streamFn: (_m, _c, options) => (signals.push(options?.signal), provider$) });
      expectObservable(asking.pipe(runChars), "^--------!").toBe("(atuU)m--");
      expectSubscriptions(provider$.subscriptions).toBe("^--------!");
      const execute = (_id: string, _args: unknown, signal?: AbortSignal) => (signals.push(signal), tool$);
      const calling = run({
        prompts: [],
        context: context([], [tool("echo", execute)]),
        streamFn: answers(assistant([call("1")])),
      });
      expectObservable(calling.pipe(runChars), "^----------!").toBe("(atsSmMx)y-");
      expectSubscriptions(tool$.subscriptions).toBe("^----------!");
      flush();
      expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    });
  });

  it("starts nothing more when it is left at any of its events", async () => {
    const chars = "atsSuUmMxXrRTtmMTz";
    for (let taken = 1; taken <= chars.length; taken++) {
      const effects: string[] = [];
      const note = (effect: string) => () => void effects.push(effect);
      const replies = answers(assistant([call("1")]), assistant("done"));
      const streamFn = () => (effects.push("M"), replies());
      const execute = () => (effects.push("X"), output("v"));
      const config = { finishTurn: note("T"), prepareNextTurn: note("t") };
      const run$ = run({ config, streamFn, context: context([], [tool("echo", execute)]) });
      const seen = await lastValueFrom(run$.pipe(take(taken), runChars, toArray()));
      expect(seen.join("")).toBe(chars.slice(0, taken));
      await settled();
      // Each effect comes before the event that tells of its outcome, so it may be one event ahead.
      const allowed = [...chars.slice(0, taken + 1)].filter((char) => "MXTt".includes(char));
      expect(allowed.join("").replace(/^t/, "")).toContain(effects.join(""));
    }
  });

  it("gives back what left a queue when it is left", () => {
    const onUndelivered = jest.fn();
    virtually(({ cold, expectObservable }) => {
      const config = {
        onUndelivered,
        getFollowUpMessages: () => [user("later")],
        prepareNextTurn: () => cold<undefined>("------|"),
      };
      expectObservable(run({ config }).pipe(runChars), "^--!").toBe("(atuUmMT)");
    });
    expect(onUndelivered.mock.calls).toEqual([[[user("later")], "followUp"]]);
  });

  it("tells nobody of undelivered messages when everything was delivered", async () => {
    const onUndelivered = jest.fn();
    const lists = [[user("early")], [user("late")]];
    const config = { onUndelivered, getSteeringMessages: () => lists.shift() ?? [] };
    await lastValueFrom(run({ config }));
    expect(onUndelivered).not.toHaveBeenCalled();
  });

  describe("with an outer signal", () => {
    it("leaves no listener on it after 200 runs, whichever way they end", async () => {
      const { signal } = new AbortController();
      const add = jest.spyOn(signal, "addEventListener");
      const remove = jest.spyOn(signal, "removeEventListener");
      const failing = run({ signal, config: { convertToLlm: () => EMPTY } });
      for (let n = 0; n < 200; n++) {
        if (n % 4 === 0) run({ signal }).subscribe().unsubscribe();
        else if (n % 4 === 1) await lastValueFrom(failing).catch(() => {});
        else
          await lastValueFrom(run({ signal, streamFn: answers(assistant([call("1")]), assistant("done")) }));
      }
      expect(add).toHaveBeenCalledTimes(200);
      const left = new Set(add.mock.calls.map(([, listener]) => listener));
      for (const [, listener] of remove.mock.calls) left.delete(listener);
      expect(left.size).toBe(0);
    });

    it("adds one listener for a run of 200 turns", async () => {
      const { signal } = new AbortController();
      const add = jest.spyOn(signal, "addEventListener");
      let turns = 0;
      const finishTurn = () => (++turns < 200 ? { action: "continue" as const } : undefined);
      await lastValueFrom(run({ signal, config: { finishTurn } }));
      expect(turns).toBe(200);
      expect(add).toHaveBeenCalledTimes(1);
    });

    it("is aborted in order by it, and gives its reason", async () => {
      const signal = AbortSignal.abort("before");
      await expect(lastValueFrom(run({ signal }))).resolves.toMatchObject({
        outcome: "aborted",
        reason: "before",
      });
      const plain = await lastValueFrom(run({ signal: AbortSignal.abort() }));
      expect(plain).not.toHaveProperty("reason");
    });
  });
});
