import { describe, expect, it } from "@jest/globals";
import { map, NEVER, of, timer } from "rxjs";
import type { ReactiveAgentOptions } from "pi-agent-rx";
import { calls, lines, transcript } from "./support/messages";
import { faultsOf } from "./support/laws";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const results = ({ state }: ReturnType<typeof setUp>["agent"]) => transcript(state.messages).slice(2);

describe("abort before calls have started", () => {
  it.each<[string, Partial<ReactiveAgentOptions>]>([
    ["behind toolConcurrency", { toolConcurrency: 1 }],
    ["of a sequential batch", { toolExecution: "sequential" }],
  ])("never executes calls %s that had not started; their start and end are told", (_which, options) =>
    virtually(({ at, flush }) => {
      const ran: string[] = [];
      const { agent, events } = setUp({
        responses: [calls("a", "b", "c")],
        tools: [tool((id) => (ran.push(id), id === "a" ? of(result("first")) : NEVER))],
        abortGraceMs: 50,
        ...options,
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(ran).toEqual(["a", "b"]);
      expect(results(agent)).toEqual([
        "result a: first",
        "result b error: Operation aborted",
        "result c error: Operation aborted",
      ]);
      expect(lines(events)).toEqual(
        expect.arrayContaining(["tool_execution_start c", "tool_execution_end c error"]),
      );
      expect(faultsOf(events)).toEqual([]);
    })(),
  );

  it.each(["parallel", "sequential"] as const)(
    "calls no hook of calls that had not started (%s)",
    (toolExecution) =>
      virtually(({ at, flush }) => {
        const asked: string[] = [];
        const { agent, events } = setUp({
          responses: [calls("a", "b", "c")],
          tools: [tool(() => of(result("done")))],
          beforeToolCall: ({ toolCall }) => {
            asked.push(`before ${toolCall.id}`);
            return toolCall.id === "b" ? NEVER : undefined;
          },
          afterToolCall: ({ toolCall }) => void asked.push(`after ${toolCall.id}`),
          toolExecution,
          abortGraceMs: 50,
        });
        agent.prompt$("hello").subscribe();
        at(10, () => agent.abort());
        flush();
        const ended =
          toolExecution === "sequential" ? ["before a", "after a", "before b"] : ["before a", "before b"];
        expect(asked).toEqual(ended);
        expect(results(agent).slice(1)).toEqual([
          "result b error: Operation aborted",
          "result c error: Operation aborted",
        ]);
        expect(faultsOf(events)).toEqual([]);
        expect(only(events, "tool_execution_start")).toHaveLength(3);
      })(),
  );

  it(
    "does not run a call whose beforeToolCall allows it within the grace",
    virtually(({ at, flush, now }) => {
      const ran: string[] = [];
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => ran.push("execute"))],
        beforeToolCall: () => timer(20).pipe(map(() => undefined)),
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(ran).toEqual([]);
      expect(results(agent)).toEqual(["result a error: Operation aborted"]);
      expect(now()).toBe(20);
    }),
  );

  it.each(["message_end", "tool_execution_start"])("in a listener of %s executes nothing", (type) =>
    virtually(({ flush, now }) => {
      const ran: string[] = [];
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => ran.push(id))],
        beforeToolCall: ({ toolCall }) => void ran.push(`before ${toolCall.id}`),
      });
      agent.subscribe((event) => {
        if (event.type === type && !("message" in event && event.message.role === "user")) agent.abort();
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toEqual([]);
      expect(results(agent)).toEqual([
        "result a error: Operation aborted",
        "result b error: Operation aborted",
      ]);
      expect(faultsOf(events)).toEqual([]);
      expect(now()).toBe(0);
    })(),
  );

  it(
    "by beforeToolCall itself runs neither that call nor the next",
    virtually(({ flush }) => {
      const asked: string[] = [];
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => asked.push(`execute ${id}`))],
        beforeToolCall: ({ toolCall }) => {
          asked.push(`before ${toolCall.id}`);
          agent.abort();
        },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(asked).toEqual(["before a"]);
      expect(results(agent)).toEqual([
        "result a error: Operation aborted",
        "result b error: Operation aborted",
      ]);
    }),
  );

  it(
    "settles thousands of them",
    virtually(({ flush }) => {
      const ids = Array.from({ length: 5000 }, (_, nth) => `c${nth}`);
      const { agent, events } = setUp({ responses: [calls(...ids)], tools: [tool()] });
      agent.subscribe(({ type }) => {
        if (type === "tool_execution_start") agent.abort();
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(faultsOf(events)).toEqual([]);
      expect(results(agent)).toHaveLength(5000);
    }),
  );
});
