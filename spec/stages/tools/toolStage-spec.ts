import { describe, expect, it, jest } from "@jest/globals";
import type { AssistantMessage } from "@earendil-works/pi-ai";
import { EMPTY, firstValueFrom, from, of, throwError, toArray } from "rxjs";
import { toolStage, type AgentEvent, type AnyAgentTool, type ToolStageDeps } from "pi-agent-rx";
import { failingHooks, hookError } from "../../support/failingHooks";
import { assistant, call, output, tool } from "../../support/fixtures";
import { resultTexts, toolDeps, toolEvents, toolWords } from "../../support/toolCalls";
import { virtually } from "../../support/virtually";

const echo = tool();
const asked = (...ids: string[]) => assistant(ids.map((id) => call(id)));
const staged = (message: AssistantMessage, deps: ToolStageDeps = toolDeps([echo])) =>
  of(message).pipe(toolStage(deps));

/** The events of a batch, synchronously. */
function eventsOf(message: AssistantMessage, deps?: ToolStageDeps): AgentEvent[] {
  let events: AgentEvent[] = [];
  staged(message, deps)
    .pipe(toArray())
    .subscribe((all) => (events = all));
  return events;
}

describe("toolStage", () => {
  it("passes an empty source and an error", () => {
    virtually(({ expectObservable }) => {
      expectObservable(EMPTY.pipe(toolStage(toolDeps([echo])))).toBe("|");
      expectObservable(throwError(() => "error").pipe(toolStage(toolDeps([echo])))).toBe("#");
    });
  });

  it.each([
    ["without calls", assistant("a")],
    ["that stopped for tool use without a call", assistant("a", { stopReason: "toolUse" })],
    ["that ended as an error", assistant([call("1")], { stopReason: "error" })],
    ["that was aborted", assistant([call("1")], { stopReason: "aborted" })],
  ])("gives nothing for a message %s", (_, message) => {
    const execute = jest.fn(() => output("done"));
    expect(eventsOf(message, toolDeps([tool("echo", execute)]))).toEqual([]);
    expect(execute).not.toHaveBeenCalled();
  });

  it("tells of one call: its start, its end, its result message", () => {
    const [start, end, shown, ended] = eventsOf(assistant([call("1", "echo", { n: 1 })]));
    const named = { toolCallId: "1", toolName: "echo" };
    const result = output("done");
    expect(start).toEqual({ type: "tool_execution_start", ...named, args: { n: 1 } });
    expect(end).toMatchObject({ type: "tool_execution_end", ...named, result, isError: false });
    const message = { role: "toolResult", ...named, content: result.content, isError: false };
    expect(shown).toMatchObject({ type: "message_start", message });
    expect(ended).toMatchObject({ type: "message_end", message });
    expect((shown as { message: unknown }).message).toBe((ended as { message: unknown }).message);
  });

  it("runs the batch of the second message after that of the first", () => {
    virtually(({ cold, expectObservable }) => {
      const deps = toolDeps([tool("echo", () => cold("------v|", { v: output("v") }))]);
      const batches$ = from([asked("1"), asked("2")]).pipe(toolStage(deps), toolEvents);
      expectObservable(batches$).toBe("a-----u(xrb)-v(ys|)", toolWords);
    });
  });

  it("makes each call's own result of whatever goes wrong with it", async () => {
    const tools = failingHooks.map(([name, execute]) => tool(name, execute));
    const calls = [
      ...tools.map(({ name }) => call(name, name)),
      call("none", "none"),
      call("ghost", "ghost"),
      call("good", "good"),
    ];
    const deps = toolDeps([...tools, tool("none", () => undefined as never), tool("good")]);
    const texts = await firstValueFrom(staged(assistant(calls), deps).pipe(resultTexts));
    expect(texts).toEqual([
      ...failingHooks.map(() => hookError.message),
      'tool "none": expected a result { content, details }, got undefined',
      "Tool ghost not found",
      "done",
    ]);
  });

  it("gives two calls of one id two results", async () => {
    let n = 0;
    const deps = toolDeps([tool("echo", () => output(`${++n}`))]);
    await expect(firstValueFrom(staged(asked("1", "1"), deps).pipe(resultTexts))).resolves.toEqual([
      "1",
      "2",
    ]);
  });

  it("executes no call of a response that was cut off, and asks to issue it again", () => {
    const execute = jest.fn(() => output("done"));
    const hooks = { beforeToolCall: jest.fn(() => undefined), afterToolCall: jest.fn(() => undefined) };
    const cut = assistant([call("1"), call("2")], { stopReason: "length" });
    const events = eventsOf(cut, toolDeps([tool("echo", execute)], hooks));
    virtually(({ expectObservable }) => {
      expectObservable(from(events).pipe(toolEvents)).toBe("(axrbys|)", toolWords);
      expectObservable(from(events).pipe(resultTexts)).toBe("(t|)", {
        t: [expect.stringMatching(/"echo".*limit.*Re-issue/), expect.stringMatching(/Re-issue/)],
      });
    });
    for (const hook of [execute, ...Object.values(hooks)]) expect(hook).not.toHaveBeenCalled();
  });

  it("hands changed arguments to the tool, and the call as it was to everybody", () => {
    const execute = jest.fn<AnyAgentTool["execute"]>(() => output("done"));
    const message = assistant([call("1", "echo", { n: 1 })]);
    const deps = toolDeps([tool("echo", execute)], {
      beforeToolCall: ({ args }) => void ((args as { n: number }).n = 2),
    });
    const [start] = eventsOf(message, deps);
    expect(execute.mock.calls[0]![1]).toEqual({ n: 2 });
    expect(start).toHaveProperty("args", { n: 1 });
    expect(message.content).toEqual([call("1", "echo", { n: 1 })]);
  });

  it("shows the hooks the context without the results of the batch", () => {
    const lengths: number[] = [];
    const look = ({ context }: { context: { messages: unknown[] } }) =>
      void lengths.push(context.messages.length);
    eventsOf(asked("1", "2"), toolDeps([echo], { beforeToolCall: look, afterToolCall: look }));
    expect(lengths).toEqual([0, 0, 0, 0]);
  });

  it("tells what afterToolCall made of the result, in its end and in its message", () => {
    const afterToolCall = () => ({ content: [{ type: "text" as const, text: "other" }], isError: true });
    const events = eventsOf(asked("1"), toolDeps([echo], { afterToolCall }));
    const content = [{ type: "text", text: "other" }];
    expect(events[1]).toMatchObject({ isError: true, result: { content } });
    expect(events[3]).toMatchObject({ message: { isError: true, content } });
  });

  it("leaves every running tool when it is left", () => {
    virtually(({ cold, expectObservable, expectSubscriptions }) => {
      const tool$ = cold("------v|", { v: output("v") });
      const deps = toolDeps([tool("echo", () => tool$)]);
      expectObservable(staged(asked("1", "2"), deps).pipe(toolEvents), "^---!").toBe("(ab)", toolWords);
      expectSubscriptions(tool$.subscriptions).toBe(["^---!", "^---!"]);
    });
  });
});
