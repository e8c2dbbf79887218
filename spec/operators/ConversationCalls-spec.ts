import { describe, expect, it } from "@jest/globals";
import type { AgentEvent } from "pi-agent-rx";
import type { ConversationItem } from "pi-agent-rx/operators";
import { ConversationCalls } from "../../src/operators/ConversationCalls";
import { call, toolResult } from "../support/fixtures";
import { event } from "./support/events";

type ToolEvent = Extract<AgentEvent, { toolCallId: string }>;

const item = (id: string, args: unknown): ConversationItem => ({
  kind: "toolCall",
  id,
  toolCallId: "1",
  toolName: "echo",
  args,
  state: "waiting",
});
const first = call("1", "echo", { n: 1 });
const second = call("1", "echo", { n: 2 });

/** Two calls with one id, and the item that each event changes. */
function follow(...events: AgentEvent[]) {
  const calls = new ConversationCalls();
  let items: readonly ConversationItem[] = [item("a", first.arguments), item("b", second.arguments)];
  calls.follow(items);
  const changed = events.map((value) => {
    const change = calls.execute(items, value as ToolEvent);
    if (change) items = items.with(change[0], change[1]);
    return change?.[1].id;
  });
  return { changed, items, calls };
}

describe("ConversationCalls", () => {
  it("takes calls with one id in order, and an update by its arguments", () => {
    const { changed } = follow(
      event.toolStart(first),
      event.toolStart(second),
      event.toolUpdate(second, "half"),
      event.toolUpdate(first, "half"),
      event.toolEnd(first),
      event.toolEnd(second),
    );
    expect(changed).toEqual(["a", "b", "b", "a", "a", "b"]);
  });

  it("takes no start twice", () => {
    const calls = new ConversationCalls();
    const items = [item("a", {})];
    calls.follow(items);
    const [, running] = calls.execute(items, event.toolStart(first) as ToolEvent)!;
    expect(calls.execute([running], event.toolStart(first) as ToolEvent)).toBeUndefined();
  });

  it("takes a result message for a call only when its end was not seen", () => {
    const { items, calls } = follow(event.toolStart(first), event.toolEnd(first));
    expect(calls.answer(items, toolResult("1"))).toBeUndefined();
    expect(calls.answer(items, toolResult("1", "no", true))).toMatchObject([1, { id: "b", state: "failed" }]);
  });

  it("adds a call that it does not know", () => {
    const calls = new ConversationCalls();
    const [at, added] = calls.execute([], event.toolUpdate(first, "half") as ToolEvent)!;
    expect([at, added.state]).toEqual([0, "running"]);
    expect(calls.execute([added], event.toolEnd(first) as ToolEvent)?.[0]).toBe(0);
  });
});
