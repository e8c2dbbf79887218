import { describe, expect, it } from "@jest/globals";
import type { AgentMessage, AgentState, AgentToolCall } from "pi-agent-rx";
import { Snapshots } from "../../src/agent/Snapshots";
import { answer, call, model, text, user } from "./support/messages";

const queued = { steering: [], followUp: [] };

function stateOf(fields: Partial<AgentState> = {}): AgentState {
  const messages: AgentMessage[] = [];
  return {
    systemPrompt: "",
    model,
    thinkingLevel: "off",
    tools: [],
    messages,
    isStreaming: false,
    pendingToolCalls: new Set<string>(),
    ...fields,
  };
}

describe("Snapshots", () => {
  it("gives frozen pictures that share what is the same", () => {
    const snapshots = new Snapshots();
    const state = stateOf({ messages: [user("one")] });
    const first = snapshots.take(state, queued);
    const second = snapshots.take({ ...state, thinkingLevel: "low" }, queued);
    expect(Object.isFrozen(first)).toBe(true);
    expect(second.messages).toBe(first.messages);
    expect(second.tools).toBe(first.tools);
    expect([first.thinkingLevel, second.thinkingLevel]).toEqual(["off", "low"]);
  });

  it("copies the transcript when it has grown, shrunk, been replaced or ends otherwise", () => {
    const snapshots = new Snapshots();
    const messages: AgentMessage[] = [user("one")];
    const state = stateOf({ messages });
    const picture = () => snapshots.take(state, queued).messages;
    const first = picture();
    messages.push(user("two"));
    const second = picture();
    messages.pop();
    const third = picture();
    messages[0] = user("other");
    const fourth = picture();
    state.messages = [...messages];
    const fifth = picture();
    expect([first, second, third, fourth, fifth].map(({ length }) => length)).toEqual([1, 2, 1, 1, 1]);
    expect(new Set([first, second, third, fourth, fifth]).size).toBe(5);
    expect(first[0]).not.toBe(fourth[0]);
  });

  it("reads the prompt from the transcript as it was", () => {
    const snapshots = new Snapshots();
    const messages: AgentMessage[] = [{ role: "system", content: "Old.", timestamp: 0 }];
    const picture = snapshots.take(stateOf({ messages }), queued);
    messages[0] = { role: "system", content: "New.", timestamp: 0 };
    expect(picture.systemPrompt).toBe("Old.");
    expect(snapshots.take(stateOf({ messages }), queued).systemPrompt).toBe("New.");
  });

  it("copies a streaming message, tool arguments deeply", () => {
    const snapshots = new Snapshots();
    const source = answer([text("half"), call("a", "work", { path: { to: "x" } })]);
    const { streamingMessage } = snapshots.take(stateOf({ streamingMessage: source }), queued);
    (source.content[0] as { text: string }).text = "changed";
    Object.assign((source.content[1] as AgentToolCall).arguments.path as object, { to: "changed" });
    expect(streamingMessage).toMatchObject({
      content: [{ text: "half" }, { arguments: { path: { to: "x" } } }],
    });
  });

  it("copies only the changed block, if it was shown the update before", () => {
    const snapshots = new Snapshots();
    const first = { type: "text" as const, text: "one" };
    const show = (changed: number | undefined, ...blocks: ReturnType<typeof text>[]) => {
      snapshots.streamed(changed);
      const { streamingMessage } = snapshots.take(stateOf({ streamingMessage: answer(blocks) }), queued);
      return (streamingMessage as { content: { text: string }[] }).content;
    };
    const start = show(undefined, first, text(""));
    const next = show(1, first, text("t"));
    expect(next[0]).toBe(start[0]);
    expect(next[1]!.text).toBe("t");
    first.text = "one more";
    snapshots.streamed(0);
    expect(show(1, first, text("tw")).map((block) => block.text)).toEqual(["one more", "tw"]);
    expect(show(1, text("other"), text("x")).map((block) => block.text)).toEqual(["other", "x"]);
  });

  it("starts over with a new message", () => {
    const snapshots = new Snapshots();
    const show = (first: string) => {
      snapshots.streamed();
      return snapshots.take(stateOf({ streamingMessage: answer(first) }), queued).streamingMessage;
    };
    expect(show("one")).toMatchObject({ content: [{ text: "one" }] });
    expect(show("two")).toMatchObject({ content: [{ text: "two" }] });
  });
});
