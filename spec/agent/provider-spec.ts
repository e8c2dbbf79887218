import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { concat, EMPTY, finalize, from, NEVER, of } from "rxjs";
import { answer, delta, failure, lines, started, terminal, textOf, transcript } from "./support/messages";
import { eventsOf, type Response } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { virtually } from "./support/virtually";

const failedTurn = ["message_start assistant", "message_end assistant error", "turn_end", "agent_end failed"];

describe("provider's stream", () => {
  it(
    "ends the response on its terminal event, though the source stays open",
    virtually(({ flush, now }) => {
      let left = 0;
      const open$ = concat(from(eventsOf(answer("hi"))), NEVER).pipe(finalize(() => left++));
      const { agent, events } = setUp({ responses: [open$] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).at(-1)).toBe("agent_end completed");
      expect(now()).toBe(0);
      expect(left).toBe(1);
    }),
  );

  it(
    "is ignored after its terminal event",
    virtually(({ flush }) => {
      const late = [delta("too late"), terminal(failure("too late"))];
      const { agent, events } = setUp({ responses: [from([...eventsOf(answer("hi")), ...late])] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
      expect(only(events, "message_update")).toHaveLength(1);
      expect(textOf(agent.state.messages.at(-1))).toBe("hi");
    }),
  );

  it("is ignored after the terminal event of an async iterable", async () => {
    let pulledAfter = 0;
    async function* stream() {
      yield* eventsOf(answer("hi"));
      pulledAfter++;
      yield delta("too late");
    }
    const { agent, events } = setUp({ responses: [() => stream()] });
    await agent.prompt("hello");
    expect(pulledAfter).toBe(0);
    expect(only(events, "message_update")).toHaveLength(1);
  });

  it("gives its result() when it ends without a terminal event", async () => {
    const { agent, events } = setUp({
      responses: [
        () => {
          const stream = createAssistantMessageEventStream();
          stream.push(started());
          stream.push(delta("half"));
          stream.end(answer("whole"));
          return stream;
        },
      ],
    });
    await agent.prompt("hello");
    expect(textOf(agent.state.messages.at(-1))).toBe("whole");
    expect(lines(events).slice(-3)).toEqual([
      "message_end assistant stop",
      "turn_end",
      "agent_end completed",
    ]);
  });

  it("takes an error from result() as the end of the run", async () => {
    const { agent, events } = setUp({
      responses: [
        () => {
          const stream = createAssistantMessageEventStream();
          stream.end(failure("overloaded"));
          return stream;
        },
      ],
    });
    await agent.prompt("hello");
    expect(lines(events).slice(-4)).toEqual(failedTurn);
    expect(agent.state.errorMessage).toBe("overloaded");
  });

  it("ends the turn as an error when its result() has not settled a tick later", async () => {
    const { agent, events } = setUp({
      responses: [
        () => {
          const stream = createAssistantMessageEventStream();
          stream.push(started());
          stream.push(delta("half"));
          stream.end();
          return stream;
        },
      ],
    });
    await agent.prompt("hello");
    expect(lines(events).slice(-3)).toEqual(["message_end assistant error", "turn_end", "agent_end failed"]);
    expect(textOf(agent.state.messages.at(-1))).toBe("half");
    expect(agent.state.errorMessage).toMatch(/without/);
  });

  it.each<[string, Response, string[]]>([
    ["before it started", EMPTY, ["message_start assistant", "message_end assistant error"]],
    [
      "after a delta",
      of(started(), delta("half")),
      ["message_start assistant", "message_update", "message_end assistant error"],
    ],
  ])("ends the turn as an error when an observable completes %s", (_when, response, expected) =>
    virtually(({ flush }) => {
      const { agent, events } = setUp({ responses: [response] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(4)).toEqual([...expected, "turn_end", "agent_end failed"]);
      expect(agent.state.errorMessage).toBeTruthy();
    })(),
  );

  it(
    "needs no start: a terminal event alone is a whole message",
    virtually(({ flush }) => {
      const { agent, events } = setUp({ responses: [of(terminal(answer("hi")))] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(lines(events).slice(4)).toEqual([
        "message_start assistant",
        "message_end assistant stop",
        "turn_end",
        "agent_end completed",
      ]);
    }),
  );

  it(
    "is not shown before its start",
    virtually(({ flush }) => {
      const { agent, events } = setUp({ responses: [of(delta("early"), ...eventsOf(answer("hi")))] });
      agent.prompt$("hello").subscribe();
      flush();
      expect(only(events, "message_update")).toHaveLength(1);
      expect(lines(events)[4]).toBe("message_start assistant");
    }),
  );
});
