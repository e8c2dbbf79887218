import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { concat, map, of, throwError, timer } from "rxjs";
import {
  answer,
  call,
  calls,
  failure,
  lines,
  model,
  started,
  terminal,
  textOf,
  transcript,
} from "./support/messages";
import { eventsOf, shown, type Response } from "./support/provider";
import { endOf, only, setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

const failedTurn = ["message_start assistant", "message_end assistant error", "turn_end", "agent_end failed"];

describe("streamFn", () => {
  const boom = () => {
    throw new Error("no route");
  };
  async function* breaking() {
    yield started();
    throw new Error("no route");
  }
  it.each<[string, Response]>([
    ["throws", boom],
    ["rejects", () => Promise.reject(new Error("no route"))],
    ["gives an observable that errors", throwError(() => new Error("no route"))],
    ["gives a promise of an observable that errors", async () => throwError(() => new Error("no route"))],
  ])("that %s fails the run with an error message", async (_how, response) => {
    const { agent, events } = setUp({ responses: [response] });
    await agent.prompt("hello");
    expect(lines(events).slice(4)).toEqual(failedTurn);
    expect(agent.state.messages.at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "error",
      errorMessage: "no route",
      model: model.id,
    });
    expect(agent.state.errorMessage).toBe("no route");
    await agent.prompt("again");
    expect(agent.state.errorMessage).toBeUndefined();
    expect(lines(events).at(-1)).toBe("agent_end completed");
  });

  it.each<[string, Response]>([
    ["iterable", () => breaking()],
    [
      "observable",
      concat(
        of(started()),
        throwError(() => new Error("no route")),
      ),
    ],
  ])("whose %s breaks after its start ends the open message as the error", async (_kind, response) => {
    const { agent, events } = setUp({ responses: [response] });
    await agent.prompt("hello");
    expect(lines(events).slice(4)).toEqual(failedTurn);
    expect(agent.state.errorMessage).toBe("no route");
  });

  it.each([undefined, null, 7, {}])("that gives %j is told what was expected", async (output) => {
    const { agent } = setUp({ responses: [() => output as never] });
    await agent.prompt("hello");
    expect(agent.state.errorMessage).toMatch(/^streamFn: expected an event stream/);
  });

  it("may give a promise of an event stream", async () => {
    const { agent } = setUp({
      responses: [
        async () => {
          const stream = createAssistantMessageEventStream();
          for (const event of eventsOf(answer("hi"))) stream.push(event);
          return stream;
        },
      ],
    });
    await agent.prompt("hello");
    expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
  });

  it(
    "tells failures by an error event, which ends the run as failed",
    virtually(({ flush }) => {
      const overloaded$ = timer(3).pipe(map(() => terminal(failure("overloaded"))));
      const { agent, events } = setUp({ responses: [overloaded$] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(4)).toEqual(failedTurn);
      expect(endOf(events)).not.toHaveProperty("reason");
      expect(agent.state.errorMessage).toBe("overloaded");
    }),
  );
});

describe("stop reasons", () => {
  it(
    "toolUse without a call ends the turn like stop",
    virtually(({ flush }) => {
      const { agent, events, requests } = setUp({ responses: [answer("hm", { stopReason: "toolUse" })] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(requests).toHaveLength(1);
      expect(lines(events).at(-1)).toBe("agent_end completed");
    }),
  );

  it(
    "stop with calls executes them",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({
        responses: [answer([call("a")], { stopReason: "stop" })],
        tools: [tool()],
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(shown(requests[1])).toEqual(["user hello", "assistant stop", "result a: done"]);
    }),
  );

  it(
    "length never executes calls: each gets an error result that asks to re-issue it",
    virtually(({ flush }) => {
      const ran: string[] = [];
      const { agent, events, requests } = setUp({
        responses: [{ ...calls("a", "b"), stopReason: "length" }],
        tools: [tool(() => ran.push("execute"))],
        beforeToolCall: () => void ran.push("beforeToolCall"),
        afterToolCall: () => void ran.push("afterToolCall"),
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(ran).toEqual([]);
      const results = only(events, "turn_end")[0]!.toolResults;
      expect(results.map(({ toolCallId, isError }) => [toolCallId, isError])).toEqual([
        ["a", true],
        ["b", true],
      ]);
      for (const result of results) expect(textOf(result)).toMatch(/"work" was not executed.*Re-issue/s);
      expect(only(events, "tool_execution_end")).toHaveLength(2);
      expect(requests).toHaveLength(2);
    }),
  );
});
