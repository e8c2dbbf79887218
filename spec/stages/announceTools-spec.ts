import { describe, expect, it } from "@jest/globals";
import { toToolDeclaration } from "@earendil-works/pi-ai";
import { EMPTY, map, of, throwError, timer } from "rxjs";
import { announceTools, type AgentContextInit, type AgentMessage, type AnyAgentTool } from "pi-agent-rx";
import { context, system, tool, user } from "../support/fixtures";
import { virtually } from "../support/virtually";

const read = tool("read");
const write = tool("write");
const declared = (...tools: AnyAgentTool[]) => tools.map((each) => toToolDeclaration(each));

/** What the stage makes of `pending`, synchronously. */
function announced(given: AgentContextInit, pending: AgentMessage[]): AgentMessage[] {
  let result: AgentMessage[] | undefined;
  of(pending)
    .pipe(announceTools({ context: () => given }))
    .subscribe((messages) => (result = messages));
  return result!;
}

describe("announceTools", () => {
  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      const stage = announceTools({ context: () => context() });
      expectObservable(EMPTY.pipe(stage)).toBe("|");
      expectObservable(throwError(() => "error").pipe(stage)).toBe("#");
    });
  });

  it("gives the same array when nothing is to be told", () => {
    const pending = [user("hi")];
    expect(announced(context(), pending)).toBe(pending);
    expect(announced(context([system("", { toolsAdded: declared(read) })], [read]), pending)).toBe(pending);
    const own = [system("be brief"), user("hi")];
    expect(announced(context(), own)).toBe(own);
  });

  it("tells of new tools in a message before the pending ones", () => {
    const pending = [user("hi")];
    expect(announced(context([], [read, write]), pending)).toEqual([
      { role: "system", content: "", toolsAdded: declared(read, write), timestamp: expect.any(Number) },
      pending[0],
    ]);
  });

  it("tells of new tools when nothing is pending", () => {
    expect(announced(context([user("hi")], [read]), [])).toMatchObject([{ toolsAdded: declared(read) }]);
  });

  it("tells of tools that are gone or have changed", () => {
    const before = [system("", { toolsAdded: declared(read, write) })];
    expect(announced(context(before, [write]), [])).toMatchObject([{ toolsRemoved: [{ name: "read" }] }]);
    const changed = tool("read", undefined, { description: "Reads better." });
    expect(announced(context(before, [changed, write]), [])).toMatchObject([
      { toolsAdded: declared(changed) },
    ]);
  });

  it("puts the change into the last pending system message, as a copy", () => {
    const [first, last] = [system("first"), system("last")];
    const messages = announced(context([], [read]), [first, user("hi"), last]);
    expect(messages[0]).toBe(first);
    expect(messages[2]).toEqual({ ...last, toolsAdded: declared(read) });
    expect(last).toEqual(system("last"));
  });

  it("replaces what a pending system message says of tools", () => {
    const own = system("mine", { toolsAdded: declared(write), toolsRemoved: [{ name: "ghost" }] });
    expect(announced(context([], [read]), [own])).toEqual([system("mine", { toolsAdded: declared(read) })]);
    expect(announced(context(), [own])).toEqual([system("mine")]);
  });

  it("stamps its message with the time at which it is made", () => {
    virtually(({ expectObservable }) => {
      const stamp$ = timer(4).pipe(
        map(() => []),
        announceTools({ context: () => context([], [read]) }),
        map(([message]) => (message as { timestamp: number }).timestamp),
      );
      expectObservable(stamp$).toBe("----(t|)", { t: 4 });
    });
  });

  it("keeps two subscriptions of one stage right", () => {
    const given = context([], [read]);
    const stage = announceTools({ context: () => given });
    const lengths: number[] = [];
    for (const pending of [[user("a")], [user("b")]])
      of(pending)
        .pipe(stage)
        .subscribe((messages) => lengths.push(messages.length));
    expect(lengths).toEqual([2, 2]);
  });
});
