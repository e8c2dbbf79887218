import { describe, expect, it } from "@jest/globals";
import { finalize, map, of, timer } from "rxjs";
import { answer, call, calls, inShort, lines, transcript } from "./support/messages";
import { reply } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const takes = (ms: Record<string, number>) =>
  tool((id) => timer(ms[id]!).pipe(map(() => result(`${id} after ${ms[id]}`))));
const executions = (events: Parameters<typeof lines>[0]) =>
  lines(events).filter((line) => /^tool_execution_(start|end)/.test(line));
// An observable's values are updates, its last too.
const withoutUpdates = (told: string[]) => told.filter((line) => !line.startsWith("tool_execution_update"));

describe("a batch of tool calls", () => {
  it(
    "tells ends in the order in which tools end, results in source order",
    virtually(({ flush, now }) => {
      const { agent, events } = setUp({
        responses: [calls("a", "b", "c")],
        tools: [takes({ a: 30, b: 10, c: 20 })],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(executions(events)).toEqual([
        "tool_execution_start a",
        "tool_execution_start b",
        "tool_execution_start c",
        "tool_execution_end b",
        "tool_execution_end c",
        "tool_execution_end a",
      ]);
      const results = ["result a: a after 30", "result b: b after 10", "result c: c after 20"];
      expect(transcript(agent.state.messages).slice(2, 5)).toEqual(results);
      expect(only(events, "turn_end")[0]!.toolResults.map(inShort)).toEqual(results);
      expect(now()).toBe(30);
    }),
  );

  it(
    "tells the result messages after the last end",
    virtually(({ flush }) => {
      const { agent, events } = setUp({ responses: [calls("a", "b")], tools: [takes({ a: 1, b: 5 })] });
      agent.prompt$("hello").subscribe();
      flush();
      const told = lines(events);
      expect(told.slice(told.indexOf("tool_execution_end b"), told.indexOf("turn_end"))).toEqual([
        "tool_execution_end b",
        "message_start result a",
        "message_end result a",
        "message_start result b",
        "message_end result b",
      ]);
    }),
  );

  it(
    "runs one call after the other, each with its result, when it is sequential",
    virtually(({ flush, now }) => {
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [takes({ a: 30, b: 10 })],
        toolExecution: "sequential",
      });
      agent.prompt$("hello").subscribe();
      flush();
      const told = withoutUpdates(lines(events));
      expect(told.slice(told.indexOf("tool_execution_start a"), told.indexOf("turn_end"))).toEqual(
        ["a", "b"].flatMap((id) => [
          `tool_execution_start ${id}`,
          `tool_execution_end ${id}`,
          `message_start result ${id}`,
          `message_end result ${id}`,
        ]),
      );
      expect(now()).toBe(40);
    }),
  );

  it(
    "is sequential as soon as one of its tools is",
    virtually(({ flush, now }) => {
      const one = tool(() => timer(10).pipe(map(() => result("one"))), { name: "one" });
      const two = tool(() => timer(10).pipe(map(() => result("two"))), {
        name: "two",
        executionMode: "sequential",
      });
      const { agent } = setUp({
        responses: [
          answer([call("a", "one"), call("b", "two")]),
          answer([call("c", "one"), call("d", "one")]),
        ],
        tools: [one, two],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(now()).toBe(20 + 10);
    }),
  );

  it(
    "does preflight serially and in source order, and runs tools when the last preflight is over",
    virtually(({ flush, now }) => {
      const order: string[] = [];
      const note = (what: string) => void order.push(`${now()} ${what}`);
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [tool((id) => (note(`execute ${id}`), of(result(id))))],
        beforeToolCall: ({ toolCall: { id } }) => {
          note(`before ${id}`);
          return timer(id === "a" ? 20 : 5).pipe(map(() => undefined));
        },
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(order).toEqual(["0 before a", "20 before b", "25 execute a", "25 execute b"]);
    }),
  );

  it(
    "ends a call at once whose preflight fails, before later calls start",
    virtually(({ flush }) => {
      const { agent, events } = setUp({
        responses: [answer([call("a", "unknown"), call("b")])],
        tools: [tool()],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(executions(events)).toEqual([
        "tool_execution_start a",
        "tool_execution_end a error",
        "tool_execution_start b",
        "tool_execution_end b",
      ]);
      expect(transcript(agent.state.messages)[2]).toBe("result a error: Tool unknown not found");
    }),
  );

  it(
    "asks beforeToolCall when the assistant message is in the state",
    virtually(({ flush }) => {
      const seen: string[] = [];
      const { agent } = setUp({
        responses: [reply(calls("a"), 2)],
        tools: [tool()],
        beforeToolCall: () => void seen.push(inShort(agent.state.messages.at(-1)!)),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(seen).toEqual(["assistant toolUse"]);
    }),
  );

  it(
    "waits with a tool until the listeners of its tool_execution_start have settled",
    virtually(({ flush, now }) => {
      const started: number[] = [];
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool(() => (started.push(now()), result("a")))],
      });
      agent.subscribe(({ type }) => (type === "tool_execution_start" ? timer(15) : undefined));
      agent.prompt$("hello").subscribe();
      flush();
      expect(started).toEqual([15]);
    }),
  );

  it(
    "does not abort a sibling when a finished tool tears down",
    virtually(({ flush }) => {
      const torn: string[] = [];
      const aborted: string[] = [];
      const { agent } = setUp({
        responses: [calls("a", "b")],
        tools: [
          tool((id, _args, signal) => {
            signal!.addEventListener("abort", () => aborted.push(id));
            return timer(id === "a" ? 5 : 20).pipe(
              map(() => result(id)),
              finalize(() => torn.push(id)),
            );
          }),
        ],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(torn).toEqual(["a", "b"]);
      expect(aborted).toEqual([]);
      expect(transcript(agent.state.messages).slice(2, 4)).toEqual(["result a: a", "result b: b"]);
    }),
  );
});
