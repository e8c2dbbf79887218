import { describe, expect, it } from "@jest/globals";
import type { AgentMessage } from "pi-agent-rx";
import { answer, calls, inShort, lines, transcript, user } from "./support/messages";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

type Harness = ReturnType<typeof setUp>;
const names = (messages: readonly AgentMessage[]) => messages.map(inShort);

function once(agent: Harness["agent"], line: string, act: () => void): void {
  let done = false;
  agent.subscribe((event) => {
    if (done || !lines([event]).includes(line)) return;
    done = true;
    act();
  });
}

const boom = () => {
  throw new Error("boom");
};

describe("messages taken from a queue when a listener fails", () => {
  it.each([
    ["message_start user", 1],
    ["message_end user one", 1],
    ["message_end user two", 2],
  ])("at %s are in the transcript as far as they were committed, the rest is queued again", (line, count) =>
    virtually(({ flush }) => {
      const { agent } = setUp({ initialState: { messages: [user("hello")] }, steeringMode: "all" });
      const texts = ["one", "two", "three"];
      for (const text of texts) agent.steer(user(text));
      once(agent, line, boom);
      agent.continue$().subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(1)).toEqual([
        ...texts.slice(0, count).map((text) => `user ${text}`),
        "assistant error",
      ]);
      expect(names(agent.queued.steering)).toEqual(texts.slice(count).map((text) => `user ${text}`));
    })(),
  );

  it(
    "of the second turn are kept as well",
    virtually(({ flush }) => {
      const { agent } = setUp({ responses: [calls("a")], tools: [tool()], steeringMode: "all" });
      once(agent, "tool_execution_end a", () => {
        agent.steer(user("one"));
        agent.steer(user("two"));
      });
      let starts = 0;
      agent.subscribe(({ type }) => {
        if (type === "turn_start" && ++starts === 2) boom();
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.errorMessage).toBe("boom");
      expect(names(agent.queued.steering)).toEqual(["user one", "user two"]);
    }),
  );

  it(
    "that were cleared meanwhile stay away",
    virtually(({ flush }) => {
      const { agent } = setUp({ initialState: { messages: [user("hello")] }, steeringMode: "all" });
      agent.steer(user("one"));
      agent.steer(user("two"));
      once(agent, "message_end user one", () => {
        agent.clearAllQueues();
        boom();
      });
      agent.continue$().subscribe();
      flush();
      expect(agent.hasQueuedMessages()).toBe(false);
    }),
  );

  it(
    "by continue() after an answer are in exactly one place",
    virtually(({ flush }) => {
      const { agent } = setUp({
        initialState: { messages: [user("hello"), answer("hi")] },
        followUpMode: "all",
      });
      agent.followUp(user("one"));
      agent.followUp(user("two"));
      once(agent, "message_end user one", boom);
      agent.continue$().subscribe();
      flush();
      const told = transcript(agent.state.messages).filter((line) => /user (one|two)/.test(line));
      expect([...told, ...names(agent.queued.followUp)]).toEqual(["user one", "user two"]);
    }),
  );
});

describe("a message that is both prepared and queued", () => {
  it(
    "is two messages: what prepareNextTurn gave does not stand for what was queued",
    virtually(({ flush }) => {
      const same = user("same");
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        prepareNextTurn: () => ({ messages: [same] }),
      });
      once(agent, "tool_execution_end a", () => agent.steer(same));
      once(agent, "message_end user same", () => agent.abort());
      agent.prompt$("hello").subscribe();
      flush();
      expect(transcript(agent.state.messages).slice(3)).toEqual(["user same", "assistant aborted"]);
      expect(agent.queued.steering).toEqual([same]);
    }),
  );
});

describe("messages behind an announcement of tools", () => {
  it(
    "go back when the run is aborted as the announcement is told",
    virtually(({ flush }) => {
      const { agent } = setUp({
        responses: [calls("a")],
        tools: [tool()],
        prepareNextTurnWithContext: ({ context }) => ({
          context: { ...context, tools: [tool(undefined, { name: "new" })] },
        }),
      });
      once(agent, "tool_execution_end a", () => agent.steer(user("one")));
      once(agent, "message_start system", () => agent.abort());
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.messages.slice(-2).map(({ role }) => role)).toEqual(["system", "assistant"]);
      expect(names(agent.queued.steering)).toEqual(["user one"]);
    }),
  );
});

describe("follow-ups that wait when the last turn is aborted", () => {
  it(
    "stay queued",
    virtually(({ flush }) => {
      const { agent } = setUp();
      agent.followUp(user("later"));
      once(agent, "turn_end", () => agent.abort());
      agent.prompt$("hello").subscribe();
      flush();
      expect(names(agent.queued.followUp)).toEqual(["user later"]);
      expect(transcript(agent.state.messages)).toEqual(["user hello", "assistant stop"]);
    }),
  );
});
