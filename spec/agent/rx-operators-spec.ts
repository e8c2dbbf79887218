import { describe, expect, it } from "@jest/globals";
import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  map,
  mergeMap,
  NEVER,
  of,
  retry,
  switchMap,
  tap,
  throwError,
  timeout,
  timer,
} from "rxjs";
import type { AgentOperators, ModelRequest, ToolCallRequest } from "pi-agent-rx";
import { answer, calls, delta, lines, started, textOf, transcript, user } from "./support/messages";
import { reply, shown } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

describe("operators.context", () => {
  it(
    "changes what one request is made of, after transformContext and before convertToLlm; the transcript stays",
    virtually(({ flush }) => {
      const order: string[] = [];
      const { agent, requests } = setUp({
        transformContext: (messages) => (order.push("transformContext"), [...messages, user("hooked")]),
        operators: { context: map((messages) => (order.push("operators.context"), messages.slice(-1))) },
        convertToLlm: (messages) => (order.push("convertToLlm"), messages),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(order).toEqual(["transformContext", "operators.context", "convertToLlm"]);
      expect(shown(requests[0])).toEqual(["user hooked"]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
    }),
  );

  it.each<[string, AgentOperators["context"], string]>([
    ["no", filter(() => false), "none"],
    ["more than one", mergeMap((messages) => of(messages, messages)), "2"],
  ])("with %s emission is an error that names it, never a hang", (_what, context, count) =>
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ operators: { context } });
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.errorMessage).toBe(`operators.context: expected one value, got ${count}`);
      expect(requests).toEqual([]);
    })(),
  );
});

describe("operators.response", () => {
  const asked: ModelRequest[] = [];
  it(
    "wraps one request: it may try again, and the failed try leaves no trace",
    virtually(({ flush }) => {
      const { agent, events, requests } = setUp({
        responses: [throwError(() => new Error("busy")), answer("hi")],
        operators: { response: (request) => (asked.push(request), retry(1)) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(2);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
      expect(only(events, "message_start")).toHaveLength(2);
      expect(asked).toHaveLength(1);
      expect(asked[0]).toMatchObject({ model: { id: "small" }, options: { transport: "auto" } });
    }),
  );

  it(
    "may time out: the provider is left",
    virtually(({ flush, now }) => {
      const { agent } = setUp({
        responses: [concat(of(started(), delta("half")), NEVER)],
        operators: { response: () => timeout({ each: 100 }) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(now()).toBe(100);
      expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "error" });
      expect(textOf(agent.state.messages.at(-1))).toBe("half");
    }),
  );

  it(
    "may fall back on another stream",
    virtually(({ flush }) => {
      const { agent } = setUp({
        responses: [throwError(() => new Error("busy"))],
        operators: { response: () => catchError(() => reply(answer("from elsewhere"))) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(textOf(agent.state.messages.at(-1))).toBe("from elsewhere");
    }),
  );

  it(
    "goes on with the same message when a second try starts over",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [
          concat(
            of(started()),
            throwError(() => new Error("cut")),
          ),
          answer("whole"),
        ],
        operators: { response: () => retry(1) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).filter((line) => line === "message_start assistant")).toHaveLength(1);
      expect(textOf(agent.state.messages.at(-1))).toBe("whole");
    }),
  );

  it(
    "makes no request after an abort, whatever it resubscribes to",
    virtually(({ at, flush }) => {
      const failing = defer(() => timer(20).pipe(switchMap(() => throwError(() => new Error("busy")))));
      const { agent, requests } = setUp({
        responses: [failing, failing, failing],
        operators: { response: () => retry({ count: 5, delay: 1 }) },
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(requests).toHaveLength(1);
      expect(lines(agent.state.messages.map((message) => ({ type: "message_end", message }))).at(-1)).toBe(
        "message_end assistant aborted",
      );
    }),
  );
});

describe("operators.toolCall", () => {
  it(
    "wraps one call: it is told which, and may try again",
    virtually(({ flush }) => {
      const asked: ToolCallRequest[] = [];
      let ran = 0;
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => (++ran < 3 ? throwError(() => new Error("busy")) : of(result(`try ${ran}`))))],
        operators: { toolCall: (request) => (asked.push(request), retry(5)) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)[2]).toBe("result a: try 3");
      expect(asked.map(({ toolCall, tool: { name }, args }) => [toolCall.id, name, args])).toEqual([
        ["a", "work", {}],
      ]);
    }),
  );

  it(
    "may time out: an error result for its own call, the siblings go on",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => (id === "a" ? NEVER : timer(20).pipe(map(() => result("b")))))],
        operators: { toolCall: () => timeout({ first: 100 }) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)[2]).toMatch(/^result a error: .*[Tt]imeout/);
      expect(transcript(agent.state.messages)[3]).toBe("result b: b");
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );

  it(
    "may answer from a cache, the tool not run",
    virtually(({ flush }) => {
      let ran = 0;
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => (ran++, result("real")))],
        operators: { toolCall: () => () => of(result("cached")) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect([ran, transcript(agent.state.messages)[2]]).toEqual([0, "result a: cached"]);
    }),
  );

  it(
    "that swallows the result is an error result that names the tool",
    virtually(({ flush }) => {
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        operators: { toolCall: () => switchMap(() => EMPTY) },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)[2]).toMatch(/^result a error: .*"work"/);
    }),
  );

  it(
    "that cannot be made fails its own call",
    virtually(({ flush }) => {
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => result(id))],
        operators: {
          toolCall: ({ toolCall }) => {
            if (toolCall.id === "a") throw new Error("no operator");
            return tap();
          },
        },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(2, 4)).toEqual([
        "result a error: no operator",
        "result b: b",
      ]);
    }),
  );
});
