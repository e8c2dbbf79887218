import { describe, expect, it } from "@jest/globals";
import { map, timer } from "rxjs";
import type { AgentMessage } from "pi-agent-rx";
import { answer, calls, inShort, transcript, user } from "./support/messages";
import { shown } from "./support/provider";
import { only, setUp } from "./support/setUp";
import { result, tool } from "./support/tools";
import { virtually } from "./support/virtually";

const names = (messages: readonly AgentMessage[]) => messages.map(inShort);

describe("identical messages", () => {
  it(
    "are two messages: delivery removes exactly its own",
    virtually(({ flush }) => {
      const { agent, requests } = setUp({ responses: [answer("one"), answer("two"), answer("three")] });
      const same = user("again");
      const left: number[] = [];
      agent.steer(same);
      agent.steer(same);
      agent.followUp(same);
      agent.subscribe((event) => {
        if (event.type === "message_end" && event.message === same)
          left.push(agent.queued.steering.length + agent.queued.followUp.length);
      });
      agent.prompt$("hello").subscribe();
      flush();
      expect(left).toEqual([2, 1, 0]);
      expect(requests).toHaveLength(3);
      expect(agent.state.messages.filter((message) => message === same)).toHaveLength(3);
    }),
  );

  it("leave one by one when they are taken back", () => {
    const { agent } = setUp();
    const same = user("again");
    agent.steer(same);
    agent.steer({ ...same });
    agent.steer(same);
    expect(agent.dequeue(same)).toBe(true);
    expect(agent.queued.steering).toHaveLength(2);
    expect(agent.queued.steering[1]).toBe(same);
    expect(agent.dequeue(same)).toBe(true);
    expect(agent.dequeue(same)).toBe(false);
    expect(agent.queued.steering).toHaveLength(1);
  });
});

describe("dequeue", () => {
  it("takes a message back from either queue, and says whether it was still there", () => {
    const { agent } = setUp();
    const [steered, followed] = [user("steered"), user("followed")];
    agent.steer(steered);
    agent.followUp(followed);
    expect(agent.dequeue(user("steered"))).toBe(false);
    expect([agent.dequeue(followed), agent.dequeue(followed)]).toEqual([true, false]);
    expect([agent.dequeue(steered), agent.hasQueuedMessages()]).toEqual([true, false]);
  });

  it("finds a message no more that a run has taken", () => {
    virtually(({ at, flush }) => {
      const later = user("later");
      const { agent } = setUp({ prepareNextTurn: () => timer(10).pipe(map(() => undefined)) });
      agent.followUp(later);
      agent.prompt$("hello").subscribe();
      at(5, () => expect(agent.dequeue(later)).toBe(false));
      flush();
      expect(transcript(agent.state.messages)).toContain("user later");
      expect.assertions(2);
    })();
  });
});

describe("the queues of an agent", () => {
  it("show what waits, and what the next turn would take", () => {
    const { agent } = setUp();
    expect(agent.hasQueuedMessages()).toBe(false);
    expect(agent.peekQueuedMessages()).toEqual([]);
    agent.followUp(user("later"));
    expect(names(agent.peekQueuedMessages())).toEqual(["user later"]);
    agent.steer(user("one"));
    agent.steer(user("two"));
    expect(names(agent.peekQueuedMessages())).toEqual(["user one"]);
    agent.steeringMode = "all";
    expect(names(agent.peekQueuedMessages())).toEqual(["user one", "user two"]);
    expect(agent.hasQueuedMessages()).toBe(true);
  });

  it("are cleared one by one or together", () => {
    const { agent } = setUp();
    agent.steer(user("one"));
    agent.followUp(user("two"));
    agent.clearSteeringQueue();
    expect([agent.queued.steering.length, agent.queued.followUp.length]).toEqual([0, 1]);
    agent.steer(user("three"));
    agent.clearFollowUpQueue();
    expect([agent.queued.steering.length, agent.queued.followUp.length]).toEqual([1, 0]);
    agent.followUp(user("four"));
    agent.clearAllQueues();
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  it("change their mode in mid-run", () => {
    virtually(({ at, flush }) => {
      const { agent, requests } = setUp({
        responses: [calls("a")],
        tools: [tool(() => timer(5).pipe(map(() => result("a"))))],
      });
      agent.prompt$("hello").subscribe();
      at(2, () => {
        agent.steer(user("one"));
        agent.steer(user("two"));
        agent.steeringMode = "all";
      });
      flush();
      expect(shown(requests[1]).slice(-2)).toEqual(["user one", "user two"]);
      expect(agent.steeringMode).toBe("all");
      expect(agent.followUpMode).toBe("one-at-a-time");
    })();
  });

  it("serve continue() after an answer: steering first, then follow-ups", async () => {
    const { agent, events } = setUp({ initialState: { messages: [user("hello"), answer("hi")] } });
    agent.followUp(user("later"));
    agent.steer(user("now"));
    await agent.continue();
    expect(transcript(agent.state.messages).slice(2)).toEqual([
      "user now",
      "assistant stop",
      "user later",
      "assistant stop",
    ]);
    expect(only(events, "agent_start")).toHaveLength(1);
    agent.followUp(user("last"));
    await agent.continue();
    expect(transcript(agent.state.messages).slice(-2)).toEqual(["user last", "assistant stop"]);
  });

  it("do not lose a message that continue() took when a listener of agent_start fails", async () => {
    const { agent } = setUp({ initialState: { messages: [user("hello"), answer("hi")] } });
    agent.steer(user("now"));
    const off = agent.subscribe(() => {
      off();
      throw new Error("boom");
    });
    await agent.continue();
    expect(agent.state.errorMessage).toBe("boom");
    const inTranscript = transcript(agent.state.messages).filter((line) => line === "user now");
    expect([...inTranscript, ...names(agent.queued.steering)]).toEqual(["user now"]);
  });
});
