import { describe, expect, it, jest } from "@jest/globals";
import {
  concat,
  endWith,
  lastValueFrom,
  materialize,
  NEVER,
  of,
  retry,
  timeout,
  toArray,
  throwError,
  EMPTY,
} from "rxjs";
import type { AgentEvent, AgentOperators, ReactiveLoopConfig, ReactiveStreamFn } from "pi-agent-rx";
import { failingHooks, hookError } from "../support/failingHooks";
import { assistant, call, context, output, tool, user } from "../support/fixtures";
import { failingGate } from "../support/gates";
import { run, runChars, type RunFields } from "../support/loop";
import { answers, start, terminal } from "../support/providerEvents";
import { virtually } from "../support/virtually";

const asking = assistant([call("1")]);
const answer = assistant("done");

/** The characters of the events, with "#" for an error and "|" for the end. */
async function outcome(fields: RunFields): Promise<[string, unknown]> {
  const all = await lastValueFrom(run(fields).pipe(runChars, materialize(), toArray()));
  const chars = all.map((each) => (each.kind === "N" ? each.value : each.kind === "E" ? "#" : "|"));
  const last = all.at(-1);
  return [chars.join(""), last?.kind === "E" ? last.error : undefined];
}

const hooks: [keyof ReactiveLoopConfig, string][] = [
  ["getSteeringMessages", "atuU#"],
  ["prepareRequest", "atuU#"],
  ["transformContext", "atuU#"],
  ["convertToLlm", "atuU#"],
  ["getApiKey", "atuU#"],
  ["finishTurn", "atuUmM#"],
  ["getFollowUpMessages", "atuUmMT#"],
];

describe("turn that fails", () => {
  describe.each(hooks)("by %s", (name, chars) => {
    it.each(failingHooks)("which %s: the error passes, without agent_end", async (_, hook) => {
      await expect(outcome({ config: { [name]: hook } })).resolves.toEqual([chars, hookError]);
    });

    it("which gives several values: the error names it", async () => {
      const [, error] = await outcome({ config: { [name]: () => of([], []) } });
      expect(error).toMatchObject({ message: `${name}: expected one value, got 2` });
    });
  });

  it.each(failingHooks)("by prepareNextTurn, which %s", async (_, prepareNextTurn) => {
    const fields = { config: { prepareNextTurn }, streamFn: answers(asking, answer) };
    await expect(outcome(fields)).resolves.toEqual(["atuUmMxXrRT#", hookError]);
  });

  it.each(failingHooks)("by the stream function, which %s", async (_, streamFn) => {
    await expect(outcome({ streamFn })).resolves.toEqual(["atuU#", hookError]);
  });

  it("by a stream that fails in the middle: the open message stays open", () => {
    virtually(({ cold, expectObservable }) => {
      const streamFn = () => cold("------s-#", { s: start() });
      expectObservable(run({ streamFn }).pipe(runChars)).toBe("(atuU)m-#");
    });
  });

  it("gives back what left a queue and was not committed", async () => {
    const onUndelivered = jest.fn();
    const queued = [user("one"), user("two")];
    const config = {
      onUndelivered,
      getFollowUpMessages: () => queued,
      prepareNextTurn: () => {
        throw hookError;
      },
    };
    await outcome({ config });
    expect(onUndelivered.mock.calls).toEqual([[queued, "followUp"]]);
  });

  it("gives back what a gate kept from the transcript", async () => {
    const onUndelivered = jest.fn();
    const lists = [[user("one"), user("two")]];
    const config = { onUndelivered, getSteeringMessages: () => lists.shift() ?? [] };
    const [chars] = await outcome({ config, prompts: [], gate: failingGate("message_end user") });
    expect(chars).toBe("atuU#");
    expect(onUndelivered.mock.calls).toEqual([[[user("two")], "steering"]]);
  });

  it.each(["agent_start", "turn_start", "message_end assistant", "turn_end", "agent_end"])(
    "by the gate at %s: fails with its error after the event",
    async (event) => {
      const [chars, error] = await outcome({ gate: failingGate(event, hookError) });
      expect(error).toBe(hookError);
      expect("atuUmMTz#".startsWith(chars.slice(0, -1))).toBe(true);
    },
  );

  it("settles the calls of a message at whose end the gate fails", async () => {
    const execute = jest.fn(() => output("v"));
    const fields = { streamFn: answers(asking), context: context([], [tool("echo", execute)]) };
    const [chars] = await outcome({ ...fields, gate: failingGate("message_end assistant") });
    expect(chars).toBe("atsSuUmMxXrR#");
    expect(execute).not.toHaveBeenCalled();
  });
});

describe("turn with operators.context", () => {
  const operated = (operator: NonNullable<AgentOperators["context"]>) =>
    outcome({ config: { operators: { context: operator } } });

  it("fails by its name when it gives none or several", async () => {
    const [chars, none] = await operated(() => EMPTY);
    expect(chars).toBe("atuU#");
    expect(none).toMatchObject({ message: "operators.context: expected one value, got none" });
    const [, two] = await operated((source$) => source$.pipe(endWith([user("more")])));
    expect(two).toMatchObject({ message: "operators.context: expected one value, got 2" });
  });

  it("goes on when it gives one value and never completes", async () => {
    const [chars] = await operated((source$) => concat(source$, NEVER));
    expect(chars).toBe("atuUmMTz|");
  });
});

describe("turn with operators.response", () => {
  it("retries a response that stalls, within one message", () => {
    virtually(({ cold, expectObservable }) => {
      const replies = [
        cold("------s----", { s: start() }),
        cold("--s-d", { s: start(), d: terminal(answer) }),
      ];
      const streamFn = jest.fn<ReactiveStreamFn>(() => replies.shift()!);
      const response: AgentOperators["response"] = () => (events$) =>
        events$.pipe(timeout({ first: 8, each: 3 }), retry(1));
      const events$ = run({ config: { operators: { response } }, streamFn });
      expectObservable(events$.pipe(runChars)).toBe("(atuU)m------(MTz|)");
    });
  });

  it("ends as an error when it gives up, and fails the run when it fails", async () => {
    const empty = await outcome({ config: { operators: { response: () => () => EMPTY } } });
    expect(empty[0]).toBe("atuUmMTz|");
    const failing = await outcome({
      config: { operators: { response: () => () => throwError(() => hookError) } },
    });
    expect(failing).toEqual(["atuU#", hookError]);
    const events: AgentEvent[] = [];
    await lastValueFrom(run({ streamFn: () => EMPTY })).then((end) => events.push(end));
    expect(events[0]).toMatchObject({ outcome: "failed" });
  });
});

describe("turn whose stream ends without a terminal event", () => {
  const ending = (stream: object) =>
    lastValueFrom(run({ streamFn: () => stream as never })).then(
      (end) => (end as { messages: unknown[] }).messages[1],
    );
  const open = async function* () {
    yield start(assistant("so far"));
  };

  it.each([
    ["a promise", () => Promise.resolve(answer)],
    ["a plain value, as in pi", () => answer],
  ])("answers with its result, which is %s", async (_, result) => {
    await expect(ending(Object.assign(open(), { result }))).resolves.toBe(answer);
  });

  it("ends as an error, with what had streamed, when it has none or it never settles", async () => {
    const error = { stopReason: "error", content: [{ type: "text", text: "so far" }] };
    await expect(ending(open())).resolves.toMatchObject(error);
    await expect(
      ending(Object.assign(open(), { result: () => new Promise(() => {}) })),
    ).resolves.toMatchObject(error);
  });
});
