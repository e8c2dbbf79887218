import { describe, expect, it } from "@jest/globals";
import { MessageQueue } from "../../src/agent/MessageQueue";
import { inShort, user } from "./support/messages";

function queueOf(mode: "all" | "one-at-a-time", ...texts: string[]) {
  const changes: string[][] = [];
  const queue: MessageQueue = new MessageQueue(mode, () => changes.push(queue.messages.map(inShort)));
  for (const text of texts) queue.add(user(text));
  changes.length = 0;
  return { queue, changes, waiting: () => queue.messages.map((message) => inShort(message).slice(5)) };
}

describe("MessageQueue", () => {
  it("gives the oldest, or all, by its mode", () => {
    const { queue, waiting } = queueOf("one-at-a-time", "one", "two", "three");
    expect(queue.take().map(inShort)).toEqual(["user one"]);
    queue.mode = "all";
    expect(queue.peek().map(inShort)).toEqual(["user two", "user three"]);
    expect(queue.take().map(inShort)).toEqual(["user two", "user three"]);
    expect(waiting()).toEqual([]);
  });

  it("gives nothing when nothing waits, and calls that no change", () => {
    const { queue, changes } = queueOf("all");
    expect(queue.take()).toEqual([]);
    expect(queue.peek()).toEqual([]);
    queue.giveBack([]);
    queue.clear();
    expect(queue.remove(user("one"))).toBe(false);
    expect(changes).toEqual([]);
  });

  it("tells of each change when it has happened", () => {
    const { queue, changes } = queueOf("one-at-a-time", "one");
    queue.add(user("two"));
    queue.take();
    queue.clear();
    expect(changes).toEqual([["user one", "user two"], ["user two"], []]);
  });

  it("makes a new array for each change, so that old ones stay as they were", () => {
    const { queue } = queueOf("all", "one");
    const before = queue.messages;
    queue.add(user("two"));
    expect(before).toHaveLength(1);
    expect(queue.messages).not.toBe(before);
  });

  it("takes back what was not delivered, in front and in order", () => {
    const { queue, waiting } = queueOf("all", "one", "two");
    const taken = queue.take();
    queue.add(user("three"));
    queue.giveBack(taken);
    expect(waiting()).toEqual(["one", "two", "three"]);
  });

  it("does not take back what was cleared since it was taken", () => {
    const { queue, waiting } = queueOf("all", "one");
    const taken = queue.take();
    queue.clear();
    queue.add(user("two"));
    queue.giveBack(taken);
    expect(waiting()).toEqual(["two"]);
  });

  it("takes back again after a clear that came before the take", () => {
    const { queue, waiting } = queueOf("all", "one");
    queue.clear();
    queue.add(user("two"));
    queue.giveBack(queue.take());
    expect(waiting()).toEqual(["two"]);
  });

  it("removes one message by identity", () => {
    const { queue, waiting } = queueOf("all");
    const twin = user("same");
    queue.add(user("same"));
    queue.add(twin);
    expect(queue.remove(twin)).toBe(true);
    expect(queue.remove(twin)).toBe(false);
    expect(waiting()).toEqual(["same"]);
  });
});
