import { describe, expect, it } from "@jest/globals";
import { toToolDeclaration } from "@earendil-works/pi-ai";
import { toolAnnouncer } from "../../src/internal/toolAnnouncer";
import type { AgentMessage } from "../../src/types/messages";
import { context, system, tool, user } from "../support/fixtures";

const read = tool("read");
const write = tool("write");

describe("toolAnnouncer", () => {
  it("announces once, as the transcript grows", () => {
    const given = context([], [read]);
    const announce = toolAnnouncer(() => given);
    const turn = () => {
      const added = announce([user("hi")]);
      given.messages.push(...added);
      return added.length;
    };
    expect([turn(), turn(), turn()]).toEqual([2, 1, 1]);
    given.tools = [read, write];
    expect([turn(), turn()]).toEqual([2, 1]);
    given.tools = [];
    expect([turn(), turn()]).toEqual([2, 1]);
  });

  it("sees a tool that was changed in place", () => {
    const changing = tool("read");
    const given = context([], [changing]);
    const announce = toolAnnouncer(() => given);
    given.messages.push(...announce([]));
    expect(announce([])).toEqual([]);
    changing.description = "Reads better.";
    expect(announce([])).toMatchObject([{ toolsAdded: [{ description: "Reads better." }] }]);
  });

  it("sees tools that change places", () => {
    const given = context([], [read, write]);
    const announce = toolAnnouncer(() => given);
    given.messages.push(...announce([]));
    given.tools = [write, read];
    expect(announce([])).toEqual([]);
  });

  it("announces again while its message has not been committed", () => {
    const announce = toolAnnouncer(() => context([], [read]));
    expect(announce([])).toHaveLength(1);
    expect(announce([])).toHaveLength(1);
  });

  it("reads another transcript anew", () => {
    let given = context([system("", { toolsAdded: [toToolDeclaration(read)] })], [read]);
    const announce = toolAnnouncer(() => given);
    expect(announce([])).toEqual([]);
    given = context([user("compacted")], [read]);
    expect(announce([])).toHaveLength(1);
  });

  it("reads another transcript anew that ends with the same message", () => {
    const last = user("hi");
    let given = context([system("", { toolsAdded: [toToolDeclaration(read)] }), last], [read]);
    const announce = toolAnnouncer(() => given);
    expect(announce([])).toEqual([]);
    given = context([user("compacted"), last], [read]);
    expect(announce([])).toHaveLength(1);
  });

  it("reads a transcript anew that became shorter or other", () => {
    const given = context([system("", { toolsAdded: [toToolDeclaration(read)] }), user("hi")], [read]);
    const announce = toolAnnouncer(() => given);
    expect(announce([])).toEqual([]);
    given.messages.length = 0;
    expect(announce([])).toHaveLength(1);
    given.messages.push(user("other"), user("others"));
    expect(announce([])).toHaveLength(1);
  });

  it("does not read the whole transcript each turn", () => {
    let reads = 0;
    const counted = (): AgentMessage =>
      Object.defineProperty(user("hi"), "role", { get: () => (reads++, "user"), enumerable: true });
    const given = context(Array.from({ length: 1000 }, counted), [read]);
    const announce = toolAnnouncer(() => given);
    given.messages.push(...announce([]));
    reads = 0;
    given.messages.push(counted());
    announce([]);
    expect(reads).toBeLessThan(10);
  });
});
