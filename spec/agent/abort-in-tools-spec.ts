import { describe, expect, it } from "@jest/globals";
import {
  delayWhen,
  finalize,
  fromEvent,
  map,
  merge,
  NEVER,
  of,
  retry,
  switchMap,
  throwError,
  timer,
} from "rxjs";
import type { AnyAgentTool } from "pi-agent-rx";
import { answer, call, calls, inShort, lines, transcript } from "./support/messages";
import { deferred, drain } from "./support/deferred";
import { faultsOf } from "./support/laws";
import { strayErrors } from "./support/rejections";
import { endOf, only, setUp, type SetUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const later = (ms: number, text: string) => timer(ms).pipe(map(() => result(text)));
const throwsAfter = (ms: number, text: string) =>
  timer(ms).pipe(switchMap(() => throwError(() => new Error(text))));

/** Calls these tools by name, all in one message. */
function batch(tools: AnyAgentTool[], options: SetUp = {}) {
  const message = answer(tools.map(({ name }) => call(name, name)));
  return setUp({ responses: [message], tools, abortGraceMs: 50, ...options });
}

const named = (name: string, execute: Parameters<typeof tool>[0]) => tool(execute, { name });
const results = (agent: ReturnType<typeof batch>["agent"]) => transcript(agent.state.messages).slice(2);

describe("abort in a tool batch", () => {
  it(
    "keeps finished results and gives every other call one error result",
    virtually(({ at, flush, now }) => {
      const { agent, events, requests } = batch([
        named("never", () => NEVER),
        named("quick", () => later(5, "quick is done")),
        named("slow", () => later(500, "too late")),
      ]);
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort("enough"));
      flush();
      expect(results(agent)).toEqual([
        "result never error: Operation aborted",
        "result quick: quick is done",
        "result slow error: Operation aborted",
      ]);
      expect(lines(events).slice(-2)).toEqual(["turn_end", "agent_end aborted"]);
      expect(only(events, "turn_end")[0]!.toolResults.map(inShort)).toEqual(results(agent));
      expect(endOf(events).reason).toBe("enough");
      expect([requests.length, now()]).toEqual([1, 60]);
      expect(faultsOf(events)).toEqual([]);
    }),
  );

  it(
    "lets a tool that ends within the grace keep its result, and one that throws its error",
    virtually(({ at, flush, now }) => {
      const { agent } = batch([
        named("ends", () => later(20, "in time")),
        named("throws", () => throwsAfter(30, "interrupted")),
      ]);
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(results(agent)).toEqual(["result ends: in time", "result throws error: interrupted"]);
      expect(now()).toBe(30);
    }),
  );

  it(
    "lets go of a tool when the grace is over: later updates, values and errors reach nothing",
    virtually(({ at, flush }) => {
      let update!: (partial: ReturnType<typeof result>) => void;
      let left = 0;
      const { agent, events } = batch([
        named("never", (_id, _args, _signal, onUpdate) => {
          update = onUpdate!;
          return merge(later(100, "late"), throwsAfter(120, "late")).pipe(finalize(() => left++));
        }),
      ]);
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      at(61, () => {
        expect(left).toBe(1);
        update(result("late"));
      });
      flush();
      expect(only(events, "tool_execution_update")).toEqual([]);
      expect(results(agent)).toEqual(["result never error: Operation aborted"]);
      expect.assertions(3);
    }),
  );

  it("hears nothing of a promise that rejects after it was left", async () => {
    const work = deferred<never>();
    const stray = await strayErrors(async () => {
      const { agent } = batch([named("stuck", () => work.promise)], { abortGraceMs: 0 });
      const settled = agent.prompt("hello");
      await drain();
      agent.abort();
      await settled;
      work.reject(new Error("too late"));
      await drain();
      expect(results(agent)).toEqual(["result stuck error: Operation aborted"]);
    });
    expect(stray).toEqual([]);
  });

  it(
    "aborts the signal that tools were given, at once",
    virtually(({ at, flush, now }) => {
      const heard: number[] = [];
      const { agent } = batch([
        named("polite", (_id, _args, signal) => {
          signal!.addEventListener("abort", () => heard.push(now()));
          return NEVER;
        }),
      ]);
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(heard).toEqual([10]);
    }),
  );

  it(
    "by the tool itself lets that tool end, and starts none after it",
    virtually(({ flush }) => {
      const ran: string[] = [];
      const { agent, events } = setUp({
        responses: [calls("a", "b")],
        tools: [
          tool((id) => {
            ran.push(id);
            agent.abort();
            return result("aborted it all");
          }),
        ],
        toolConcurrency: 1,
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toEqual(["a"]);
      expect(results(agent)).toEqual(["result a: aborted it all", "result b error: Operation aborted"]);
      expect(lines(events).at(-1)).toBe("agent_end aborted");
    }),
  );

  it(
    "is waited out by an async listener however long: listeners are the barrier",
    virtually(({ at, flush, now }) => {
      const { agent, events } = batch([named("never", () => NEVER)], { abortGraceMs: 0 });
      agent.subscribe(({ type }) => (type === "tool_execution_end" ? timer(10_000) : undefined));
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      at(10_009, () => expect(lines(events).at(-1)).toBe("tool_execution_end never error"));
      flush();
      expect(now()).toBe(10_010);
      expect(lines(events).at(-1)).toBe("agent_end aborted");
      expect.assertions(3);
    }),
  );

  it(
    "starts no request and no tool through an operator that tries again",
    virtually(({ at, flush }) => {
      let ran = 0;
      const { agent, requests } = setUp({
        responses: [calls("a")],
        tools: [tool(() => (ran++, throwsAfter(20, "try again")))],
        operators: { toolCall: () => retry(5) },
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect([ran, requests.length]).toEqual([1, 1]);
    }),
  );

  it(
    "tells an operator's signal, so that what waits for something of its own ends at once",
    virtually(({ at, flush, now }) => {
      const { agent, events } = setUp({
        responses: [calls("a")],
        tools: [tool(() => of(result("a")))],
        operators: { toolCall: ({ signal }) => delayWhen(() => fromEvent(signal, "abort")) },
      });
      agent.prompt$("hello").subscribe();
      at(10, () => agent.abort());
      flush();
      expect(lines(events).at(-1)).toBe("agent_end aborted");
      expect(now()).toBe(10);
    }),
  );
});
