import { describe, expect, it } from "@jest/globals";
import { concat, delay, EMPTY, map, NEVER, of, timer } from "rxjs";
import type { ReactiveAgentOptions } from "pi-agent-rx";
import { answer, calls, lines, textOf, transcript } from "./support/messages";
import { eventsOf } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("a tool", () => {
  it(
    "may return an observable: each value is an update, the last is the result",
    virtually(({ flush, now }) => {
      const { agent, events } = setUp({
        responses: [calls("a")],
        tools: [tool(() => concat(of(result("one")), timer(5).pipe(map(() => result("two")))))],
      });
      agent.prompt$("hello").subscribe();
      flush();
      const updates = only(events, "tool_execution_update").map(({ partialResult }) => textOf(partialResult));
      expect(updates).toEqual(["one", "two"]);
      expect(transcript(agent.state.messages)[2]).toBe("result a: two");
      expect(now()).toBe(5);
    }),
  );

  it("may return an async iterable: each value is an update, the last is the result", async () => {
    const { agent, events } = setUp({
      responses: [calls("a")],
      tools: [
        tool(async function* () {
          yield result("one");
          yield result("two");
        }),
      ],
    });
    await agent.prompt("hello");
    expect(only(events, "tool_execution_update")).toHaveLength(2);
    expect(transcript(agent.state.messages)[2]).toBe("result a: two");
  });

  it.each<[string, () => unknown]>([
    ["a value", () => result("x")],
    ["a promise", async () => result("x")],
    ["a thenable", () => ({ then: (resolve: (value: unknown) => void) => resolve(result("x")) })],
  ])("may return %s", async (_what, execute) => {
    const { agent, events } = setUp({ responses: [calls("a")], tools: [tool(execute)] });
    await agent.prompt("hello");
    expect(transcript(agent.state.messages)[2]).toBe("result a: x");
    expect(only(events, "tool_execution_update")).toEqual([]);
  });

  it("that streams and breaks has the error as its result, its updates told", async () => {
    const { agent, events } = setUp({
      responses: [calls("a")],
      tools: [
        tool(async function* () {
          yield result("one");
          throw new Error("broken");
        }),
      ],
    });
    await agent.prompt("hello");
    expect(only(events, "tool_execution_update")).toHaveLength(1);
    expect(transcript(agent.state.messages)[2]).toBe("result a error: broken");
  });
});

type HookCase = [
  name: string,
  make: (hook: (input: unknown) => unknown) => Partial<ReactiveAgentOptions>,
  value: (input: unknown) => unknown,
];
const hooks: HookCase[] = [
  ["transformContext", (hook) => ({ transformContext: hook as never }), (input) => input],
  ["convertToLlm", (hook) => ({ convertToLlm: hook as never }), (input) => input],
  ["getApiKey", (hook) => ({ getApiKey: hook as never }), () => "key"],
  ["prepareRequest", (hook) => ({ prepareRequest: hook as never }), () => undefined],
  ["beforeToolCall", (hook) => ({ beforeToolCall: hook as never }), () => undefined],
  ["afterToolCall", (hook) => ({ afterToolCall: hook as never }), () => undefined],
  ["finishTurn", (hook) => ({ finishTurn: hook as never }), () => undefined],
  ["prepareNextTurn", (hook) => ({ prepareNextTurn: hook as never }), () => undefined],
  ["prepareNextTurnWithContext", (hook) => ({ prepareNextTurnWithContext: hook as never }), () => undefined],
];
const withTool = (options: Partial<ReactiveAgentOptions>) =>
  setUp({ responses: [calls("a")], tools: [tool()], ...options });
const whole = ["user hello", "assistant toolUse", "result a: done", "assistant stop"];

describe.each(hooks)("%s", (name, make, value) => {
  it("may return a value, a promise, or an observable", async () => {
    for (const wrap of [(x: unknown) => x, (x: unknown) => Promise.resolve(x), (x: unknown) => of(x)]) {
      let asked = 0;
      const { agent } = withTool(make((input) => (asked++, wrap(value(input)))));
      await agent.prompt("hello");
      expect(asked).toBeGreaterThan(0);
      expect(agent.state.errorMessage).toBeUndefined();
      expect(transcript(agent.state.messages)).toEqual(whole);
    }
  });

  it(
    "runs in virtual time",
    virtually(({ flush, now }) => {
      let asked = 0;
      const { agent } = withTool(make((input) => (asked++, of(value(input)).pipe(delay(7)))));
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual(whole);
      expect(now()).toBe(7 * asked);
    }),
  );

  it(
    "that emits more than one value is an error that names it, never a hang",
    virtually(({ flush }) => {
      const { agent, events } = withTool(make((input) => of(value(input), value(input))));
      agent.prompt$("hello").subscribe();
      flush();
      const said = [agent.state.errorMessage, ...agent.state.messages.map(textOf)].join();
      expect(said).toMatch(`${name}: expected one value, got 2`);
      expect(events.at(-1)!.type).toBe("agent_end");
    }),
  );

  it(
    "that emits one value and stays open goes on with it",
    virtually(({ flush }) => {
      const { agent, events } = withTool(make((input) => concat(of(value(input)), NEVER)));
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).at(-1)).toBe("agent_end completed");
      expect(transcript(agent.state.messages)).toEqual(whole);
    }),
  );
});

describe("a hook's observable that completes empty", () => {
  it.each(hooks.filter(([name]) => name !== "transformContext" && name !== "convertToLlm"))(
    "is undefined to %s",
    (_name, make) =>
      virtually(({ flush }) => {
        const { agent } = withTool(make(() => EMPTY));
        agent.prompt$("hello").subscribe();
        flush();
        expect(transcript(agent.state.messages)).toEqual(whole);
      })(),
  );

  it.each(["transformContext", "convertToLlm"])(
    "is an error that names %s, which must give an array",
    (name) =>
      virtually(({ flush }) => {
        const { agent, events } = withTool({ [name]: () => EMPTY });
        agent.prompt$("hello").subscribe();
        flush();
        expect(agent.state.errorMessage).toMatch(`${name}: expected an array of messages`);
        expect(lines(events).at(-1)).toBe("agent_end failed");
      })(),
  );
});

describe("streamFn", () => {
  it(
    "may return an observable",
    virtually(({ flush }) => {
      const { agent } = setUp({ responses: [() => of(...eventsOf(answer("hi")))] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(textOf(agent.state.messages.at(-1))).toBe("hi");
    }),
  );

  it("may return any async iterable, or a promise of one", async () => {
    async function* stream() {
      yield* eventsOf(answer("hi"));
    }
    const { agent } = setUp({ responses: [() => stream(), async () => stream()] });
    await agent.prompt("hello");
    await agent.prompt("again");
    expect(transcript(agent.state.messages)).toEqual([
      "user hello",
      "assistant stop",
      "user again",
      "assistant stop",
    ]);
  });
});
