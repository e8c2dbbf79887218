import { describe, expect, it } from "@jest/globals";
import { concat, concatMap, delay, from, of, retry, throwError } from "rxjs";
import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import type { AgentSnapshot, AgentToolCall } from "pi-agent-rx";
import { answer, call, calls, delta, started, terminal, text, textOf, user } from "./support/messages";
import { reply } from "./support/provider";
import { setUp } from "./support/setUp";
import { tool } from "./support/tools";
import { virtually } from "./support/virtually";

function collect(agent: ReturnType<typeof setUp>["agent"]): AgentSnapshot[] {
  const seen: AgentSnapshot[] = [];
  agent.state$.subscribe((snapshot) => seen.push(snapshot));
  return seen;
}

describe("a snapshot", () => {
  it("cannot be changed", () => {
    const { agent } = setUp({ tools: [tool()] });
    agent.steer(user("one"));
    const [snapshot] = collect(agent) as [{ -readonly [K in keyof AgentSnapshot]: AgentSnapshot[K] }];
    expect(() => ((snapshot as { thinkingLevel: string }).thinkingLevel = "high")).toThrow(TypeError);
    expect(() => (snapshot.messages as unknown[]).push(user("more"))).toThrow(TypeError);
    expect(() => (snapshot.tools as unknown[]).pop()).toThrow(TypeError);
    expect(() => (snapshot.queued.steering as unknown[]).pop()).toThrow(TypeError);
  });

  it("does not change when the agent does", async () => {
    const { agent } = setUp({ responses: [calls("a")], tools: [tool()] });
    const seen: { snapshot: AgentSnapshot; picture: string }[] = [];
    const picture = (snapshot: AgentSnapshot) =>
      JSON.stringify({ ...snapshot, pendingToolCalls: [...snapshot.pendingToolCalls] });
    agent.state$.subscribe((snapshot) => seen.push({ snapshot, picture: picture(snapshot) }));
    await agent.prompt("hello");
    agent.state.messages.push(user("pushed"));
    agent.state.tools.length = 0;
    for (const { snapshot, picture: before } of seen) expect(picture(snapshot)).toBe(before);
  });

  it("keeps the streaming message as it was, though the provider goes on writing to it", () => {
    virtually(({ flush }) => {
      const partial: AssistantMessage = answer([text(""), call("a", "work", { path: "" })]);
      const steps = ["h", "he", "hey"].map((soFar, index) => (): AssistantMessageEvent => {
        (partial.content[0] as { text: string }).text = soFar;
        (partial.content[1] as AgentToolCall).arguments.path = soFar;
        return index === 0
          ? { type: "start", partial }
          : { type: "text_delta", contentIndex: 0, delta: "", partial };
      });
      const live$ = from([...steps, () => terminal(answer("hey"))]).pipe(
        concatMap((step) => of(step).pipe(delay(1))),
        concatMap((step) => of(step())),
      );
      const { agent } = setUp({ responses: [live$] });
      const seen = collect(agent);
      agent.prompt$("hello").subscribe();
      flush();
      const shownTexts = seen
        .map(({ streamingMessage }) => streamingMessage)
        .filter((message) => message?.role === "assistant")
        .map(textOf);
      expect(shownTexts).toEqual(["h", "he", "hey"]);
    })();
  });

  it("shares with the one before what has not changed", () => {
    virtually(({ flush }) => {
      const long = answer([text("one"), text("two")]);
      const { agent } = setUp({ responses: [reply(long, 1)], tools: [tool()] });
      const seen = collect(agent);
      agent.prompt$("hello").subscribe();
      agent.state.thinkingLevel = "low";
      flush();
      const streaming = seen.filter(({ streamingMessage }) => streamingMessage?.role === "assistant");
      expect(streaming.length).toBeGreaterThan(2);
      for (const snapshot of streaming) {
        expect(snapshot.messages).toBe(streaming[0]!.messages);
        expect(snapshot.tools).toBe(seen[0]!.tools);
        expect(snapshot.queued).toBe(seen[0]!.queued);
      }
      expect(seen.at(-1)!.messages[0]).toBe(seen[0]!.messages[0]);
      expect(seen.at(-1)!.messages).not.toBe(seen[0]!.messages);
    })();
  });

  it("copies of a streaming message only the block that changed", () => {
    virtually(({ flush }) => {
      const first = text("one");
      const at = (contentIndex: number, piece: string): AssistantMessageEvent => ({
        type: "text_delta",
        contentIndex,
        delta: piece,
        partial: answer([first, text(piece)]),
      });
      const events$ = from([started("one"), at(1, "t"), at(1, "tw"), at(1, "two"), terminal(answer("x"))]);
      const { agent } = setUp({ responses: [events$.pipe(concatMap((event) => of(event).pipe(delay(1))))] });
      const seen = collect(agent);
      agent.prompt$("hello").subscribe();
      flush();
      const contents = seen.flatMap(({ streamingMessage }) =>
        streamingMessage?.role === "assistant" ? [streamingMessage.content] : [],
      );
      const [second, third, fourth] = contents.slice(1);
      expect(third![0]).toBe(second![0]);
      expect(fourth![0]).toBe(second![0]);
      expect([third![1], fourth![1]].map((block) => (block as { text: string }).text)).toEqual(["tw", "two"]);
    })();
  });

  it("shows the blocks of a second try, not those of the first", () => {
    virtually(({ flush }) => {
      const first = concat(
        of(started("first try"), delta("!", "first try!")),
        throwError(() => new Error("cut")),
      );
      const second: AssistantMessageEvent[] = [
        started("second try"),
        {
          type: "text_delta",
          contentIndex: 1,
          delta: "more",
          partial: answer([text("second try"), text("more")]),
        },
        terminal(answer("whole")),
      ];
      const { agent } = setUp({
        responses: [first, from(second)],
        operators: { response: () => retry(1) },
      });
      const seen = collect(agent);
      agent.prompt$("hello").subscribe();
      flush();
      const streaming = seen.flatMap(({ streamingMessage }) =>
        streamingMessage?.role === "assistant" ? [textOf(streamingMessage)] : [],
      );
      expect(streaming.at(-1)).toBe("second trymore");
    })();
  });

  it("is made only when someone looks", () => {
    virtually(({ flush }) => {
      let read = 0;
      const partial = answer("half");
      const content = partial.content;
      Object.defineProperty(partial, "content", { enumerable: true, get: () => (read++, content) });
      const watched = { ...delta("half"), partial } as AssistantMessageEvent;
      const { agent } = setUp({ responses: [from([started(), watched, watched, terminal(answer("half"))])] });
      agent.state$.subscribe().unsubscribe();
      agent.prompt$("hello").subscribe();
      flush();
      expect(agent.state.messages).toHaveLength(2);
      // Once an update, for the shallow copy in its event.
      expect(read).toBe(2);
    })();
  });
});
