import { describe, expect, it } from "@jest/globals";
import {
  concat,
  defer,
  firstValueFrom,
  from,
  map,
  mergeMap,
  NEVER,
  of,
  raceWith,
  retry,
  take,
  tap,
  throwError,
  timeout,
  toArray,
} from "rxjs";
import type { AssistantMessageEvent } from "@earendil-works/pi-ai";
import { agentOn } from "./support/agentOn";
import { answer, call, text } from "./support/answer";
import { answerIn, outcomeOf, textIn, updatesOf } from "./support/observed";
import { silence, status, stream } from "./support/reply";
import type { AgentEvent } from "pi-agent-rx";
import { useServers } from "./support/useServers";
import { says, weather } from "./support/weather";
import { wires } from "./support/wires";

const isDelta = (event: AgentEvent) =>
  event.type === "message_update" && event.assistantMessageEvent.type === "text_delta";

/** Makes a failure of the provider an error of the stream, so that `retry` sees it. */
const thrown = mergeMap((event: AssistantMessageEvent) =>
  event.type === "error" ? throwError(() => new Error(event.error.errorMessage)) : of(event),
);

describe.each(wires)("the reactive surface over $name", (wire) => {
  const serve = useServers();
  const fine = () => stream(wire.frames(answer(text("Fine."))));

  it("gives listeners, events$ and prompt$ the same events", async () => {
    const server = await serve(stream(wire.frames(answer(text("東", "京"))), { chunking: "byte" }));
    const { agent, events } = agentOn(wire, server);
    const observed: AgentEvent[] = [];
    agent.events$.subscribe((event) => observed.push(event));
    const passed = await firstValueFrom(agent.prompt$("Hi").pipe(toArray()));
    expect(passed).toEqual(events);
    expect(observed).toEqual(events);
    expect(server.exchanges.length).toBe(1);
  });

  it("sends nothing before prompt$ is subscribed", async () => {
    const server = await serve(fine());
    const run$ = agentOn(wire, server).agent.prompt$("Hi");
    expect(server.exchanges).toEqual([]);
    await firstValueFrom(run$.pipe(toArray()));
    expect(server.exchanges.length).toBe(1);
  });

  it("hangs up when prompt$ is unsubscribed, and the next prompt works", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "stall" }), fine());
    const { agent, events } = agentOn(wire, server);
    await firstValueFrom(
      agent.prompt$("Hi").pipe(
        mergeMap((event) => (isDelta(event) ? of(event) : [])),
        take(2),
        toArray(),
      ),
    );
    await agent.waitForIdle();
    expect(await server.exchanges[0]?.hungUp).toBe(true);
    expect(answerIn(agent.state.messages).stopReason).toBe("aborted");
    expect(textIn(answerIn(agent.state.messages))).toBe("東京");
    expect(outcomeOf(events)).toBe("aborted");
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
  });

  it("leaves a stalled server by the response operator's timeout", async () => {
    const frames = wire.frames(answer(text("東", "京", "!")));
    const server = await serve(stream(frames, { chunking: "frame", upTo: "京", then: "stall" }), fine());
    const { agent, events } = agentOn(wire, server, {
      operators: { response: () => timeout({ first: 10_000, each: 200 }) },
    });
    await agent.prompt("Hi");
    expect(await server.exchanges[0]?.hungUp).toBe(true);
    expect(answerIn(agent.state.messages).stopReason).toBe("error");
    expect(agent.state.errorMessage).toContain("Timeout");
    expect(outcomeOf(events)).toBe("failed");
    await agent.prompt("And now?");
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
  });

  it("asks again by the response operator's retry after a 500, and after a server that keeps silent", async () => {
    const server = await serve(status(500, wire.failure("api_error", "on fire")), silence(), fine());
    let tries = 0;
    const patience$ = defer(() => (++tries === 2 ? from(server.received(2)) : NEVER)).pipe(
      map(() => {
        throw new Error("silent");
      }),
    );
    const { agent, events } = agentOn(wire, server, {
      operators: { response: () => (source$) => source$.pipe(thrown, raceWith(patience$), retry(2)) },
    });
    await agent.prompt("Hi");
    expect(server.exchanges.length).toBe(3);
    expect(await server.exchanges[1]?.hungUp).toBe(true);
    expect(textIn(answerIn(agent.state.messages))).toBe("Fine.");
    expect(events.filter(({ type }) => type === "turn_start").length).toBe(1);
    expect(outcomeOf(events)).toBe("completed");
  });

  it("tells the response operator what is asked, with the options as they are sent", async () => {
    const server = await serve(fine());
    const asked: unknown[] = [];
    const seen: string[] = [];
    const { agent, events } = agentOn(wire, server, {
      sessionId: "session-1",
      operators: {
        response: ({ model, context, options }) => {
          asked.push([model.id, context.messages.map(({ role }) => role), options.sessionId]);
          return tap(({ type }) => void seen.push(type));
        },
      },
    });
    await agent.prompt("Hi");
    expect(asked).toEqual([[agent.state.model.id, ["system", "user"], "session-1"]]);
    expect(seen).toEqual(["start", ...updatesOf(events).map(({ type }) => type), "done"]);
  });

  it("shows every value of an observable tool and sends the last", async () => {
    const server = await serve(
      stream(wire.frames(answer(call("call_1", "weather", '{"city":"Oslo","days":2}')))),
      fine(),
    );
    const tool = weather((_id, { days }) =>
      concat(from([says("one"), says("two")]), of(says(`${days} of sun`))),
    );
    const { agent, events } = agentOn(wire, server, { initialState: { tools: [tool] } });
    await agent.prompt("Weather?");
    expect(events.filter(({ type }) => type === "tool_execution_update").length).toBe(3);
    expect(wire.read(server.exchanges[1]?.body).said.at(-1)).toMatchObject({
      by: "result",
      id: "call_1",
      text: "2 of sun",
    });
  });
});
