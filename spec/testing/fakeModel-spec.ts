import {
  createModels,
  type AssistantMessage,
  type AssistantMessageEvent,
  type TranscriptContext,
} from "@earendil-works/pi-ai";
import { describe, expect, it, jest } from "@jest/globals";
import { Agent, type AgentEvent, type AnyAgentTool } from "pi-agent-rx";
import {
  call,
  cut,
  fail,
  fakeModel,
  messageLine,
  pause,
  say,
  spend,
  stall,
  think,
  type FakeModel,
} from "pi-agent-rx/testing";
import { lastValueFrom, Observable, of, toArray } from "rxjs";
import { tool } from "../support/fixtures";
import { virtually } from "../agent/support/virtually";

const context = { messages: [] } as unknown as TranscriptContext;

/** All events of the next response, when it is synchronous. */
function respond(fake: FakeModel, signal?: AbortSignal): AssistantMessageEvent[] {
  const events: AssistantMessageEvent[] = [];
  fake.streamFn(fake.model, context, { signal }).subscribe((event) => events.push(event));
  return events;
}

function endOf(events: readonly AssistantMessageEvent[]): AssistantMessage {
  const last = events.at(-1);
  if (last?.type === "done") return last.message;
  if (last?.type === "error") return last.error;
  throw new Error("the response has no end");
}

function agentOn(fake: FakeModel, tools: AnyAgentTool[] = []) {
  const agent = new Agent({ streamFn: fake.streamFn, initialState: { model: fake.model, tools } });
  const events: AgentEvent[] = [];
  agent.events$.subscribe((event) => events.push(event));
  return { agent, events };
}

describe("fakeModel", () => {
  it("speaks a string word by word, synchronously", () => {
    const events = respond(fakeModel(["It is sunny."]));
    expect(events.map((event) => ("delta" in event ? event.delta : event.type))).toEqual([
      "start",
      "text_start",
      "It ",
      "is ",
      "sunny.",
      "text_end",
      "done",
    ]);
    expect(messageLine(endOf(events))).toBe("assistant: It is sunny.");
  });

  it("thinks, talks and calls in the order of the parts", () => {
    const message = endOf(
      respond(fakeModel([[think("Hm."), say("I look."), call("read", { path: "a" }), call("list")]])),
    );
    expect(messageLine(message)).toBe('assistant: (Hm.) I look. read({"path":"a"}) list({})');
    expect(message.stopReason).toBe("toolUse");
  });

  it("numbers calls over the whole script, unless they have an id", () => {
    const fake = fakeModel([[call("a"), call("b", {}, { id: "mine" })], call("c")]);
    const ids = [respond(fake), respond(fake)].flatMap((events) =>
      endOf(events).content.map((block) => block.type === "toolCall" && block.id),
    );
    expect(ids).toEqual(["call_1", "mine", "call_2"]);
  });

  it("shows one growing message, and ends with a message of its own", () => {
    const events = respond(fakeModel(["one two"]));
    const partials = events.flatMap((event) => ("partial" in event ? [event.partial] : []));
    expect(new Set(partials).size).toBe(1);
    expect(endOf(events)).not.toBe(partials[0]);
  });

  it("shows arguments as they stream", () => {
    const fake = fakeModel([call("read", { path: "README.md" })]);
    const seen: unknown[] = [];
    fake.streamFn(fake.model, context).subscribe((event) => {
      if (event.type === "toolcall_delta") seen.push(structuredClone(event.partial.content[0]));
    });
    expect(seen).toMatchObject([{ arguments: { path: "R" } }, { arguments: { path: "README.md" } }]);
  });

  it("cuts text as told, and names deltas that do not make it", () => {
    const events = respond(fakeModel([say("abc", { deltas: ["a", "bc"] })]));
    expect(events.flatMap((event) => ("delta" in event ? [event.delta] : []))).toEqual(["a", "bc"]);
    expect(() => say("abc", { deltas: ["a"] })).toThrow('say: the deltas make "a", the text is "abc"');
  });

  it("ends as an error with what was said", () => {
    const message = endOf(respond(fakeModel([[say("One"), fail("overloaded"), say("never")]])));
    expect(message).toMatchObject({ stopReason: "error", errorMessage: "overloaded" });
    expect(message.content).toHaveLength(1);
  });

  it("stops for length", () => {
    expect(endOf(respond(fakeModel([[call("read"), cut()]])))).toMatchObject({ stopReason: "length" });
  });

  it("counts what a response spends", () => {
    const { usage } = endOf(respond(fakeModel([[say("a"), spend({ input: 10, output: 5 })]])));
    expect(usage).toMatchObject({ input: 10, output: 5, cacheRead: 0, totalTokens: 15 });
  });

  it(
    "paces deltas in virtual time",
    virtually(({ flush, now }) => {
      const fake = fakeModel([[say("a b"), pause(100), say("c")]], { pace: 10, latency: 5 });
      const at: [number, string][] = [];
      fake.streamFn(fake.model, context).subscribe(({ type }) => at.push([now(), type]));
      flush();
      expect(at).toEqual([
        [5, "start"],
        [5, "text_start"],
        [15, "text_delta"],
        [25, "text_delta"],
        [25, "text_end"],
        [125, "text_start"],
        [135, "text_delta"],
        [135, "text_end"],
        [135, "done"],
      ]);
    }),
  );

  it("paces deltas under fake timers", () => {
    jest.useFakeTimers();
    try {
      const events: string[] = [];
      const fake = fakeModel(["a b"], { pace: 10 });
      fake.streamFn(fake.model, context).subscribe(({ type }) => events.push(type));
      expect(events).toEqual(["start", "text_start"]);
      jest.advanceTimersByTime(10);
      expect(events).toHaveLength(3);
      jest.advanceTimersByTime(10);
      expect(events.at(-1)).toBe("done");
    } finally {
      jest.useRealTimers();
    }
  });

  it("ends a stall when it is aborted, with what was said", () => {
    const control = new AbortController();
    const events = respond(fakeModel([[say("Let me see"), stall(), say("never")]]), control.signal);
    expect(events.at(-1)?.type).toBe("text_end");
    control.abort();
    expect(endOf(events)).toMatchObject({ stopReason: "aborted", content: [{ text: "Let me see" }] });
  });

  it("ends at once when it was aborted before", () => {
    const events = respond(fakeModel(["a"]), AbortSignal.abort());
    expect(events.map(({ type }) => type)).toEqual(["error"]);
  });

  it("does not hear the signal when it is told so", () => {
    const events = respond(fakeModel(["a"], { ignoreAbort: true }), AbortSignal.abort());
    expect(events.at(-1)?.type).toBe("done");
  });

  it("falls silent when it is unsubscribed", () => {
    jest.useFakeTimers();
    try {
      const fake = fakeModel(["a b c"], { pace: 10 });
      const subscription = fake.streamFn(fake.model, context).subscribe();
      expect(jest.getTimerCount()).toBe(1);
      subscription.unsubscribe();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it("asks a function of the request", async () => {
    const fake = fakeModel([({ messages }) => `You said ${messageLine(messages.at(-1)!)}`]);
    const { agent } = agentOn(fake);
    await agent.prompt("hello");
    expect(messageLine(agent.state.messages.at(-1)!)).toBe("assistant: You said user: hello");
  });

  it("plays events as they are given", () => {
    const events$ = new Observable<AssistantMessageEvent>(() => {});
    const fake = fakeModel([events$]);
    expect(fake.streamFn(fake.model, context)).toBe(events$);
    expect(fakeModel([of()]).left).toBe(1);
  });

  it("records requests as they were when they came", async () => {
    const fake = fakeModel([call("echo"), "done"]);
    const { agent } = agentOn(fake, [tool()]);
    agent.sessionId = "s1";
    await agent.prompt("hello");
    (agent.state.messages.find(({ role }) => role === "user") as { content: unknown }).content = "changed";
    expect(fake.requests.map(({ number, model }) => [number, model])).toEqual([
      [1, "fake-model"],
      [2, "fake-model"],
    ]);
    const lines = fake.requests.map(({ messages }) =>
      messages.filter(({ role }) => role !== "system").map((message) => messageLine(message)),
    );
    expect(lines[0]).toEqual(["user: hello"]);
    expect(lines[1]).toHaveLength(3);
    expect(fake.requests[0]!.options.sessionId).toBe("s1");
    expect(JSON.parse(JSON.stringify(fake.requests))).toEqual(fake.requests);
    expect(fake.left).toBe(0);
  });

  it("fails a request beyond the script readably", async () => {
    const fake = fakeModel(["one"]);
    const { agent, events } = agentOn(fake);
    await agent.prompt("first");
    await agent.prompt("second");
    expect(agent.state.errorMessage).toBe(
      "fakeModel: request 2, but the script holds 1 responses. Its last message: user: second",
    );
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "failed" });
  });

  it("goes on with what is added", async () => {
    const fake = fakeModel();
    fake.add("one");
    const { agent } = agentOn(fake);
    await agent.prompt("hello");
    expect(agent.state.errorMessage).toBeUndefined();
  });

  it("answers through pi-ai's Models", async () => {
    const fake = fakeModel([call("echo", { a: 1 }), "done"]);
    const models = createModels();
    models.setProvider(fake.provider);
    expect(models.getModels("fake")).toEqual([fake.model]);
    const streamFn = (...args: Parameters<typeof models.streamSimple>) => models.streamSimple(...args);
    const agent = new Agent({ streamFn, initialState: { model: fake.model, tools: [tool()] } });
    await agent.prompt("hello");
    expect(agent.state.messages.filter(({ role }) => role !== "system").map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "assistant",
    ]);
    expect(fake.requests).toHaveLength(2);
  });

  it("names what is no script", async () => {
    expect(() => fakeModel("hello" as never)).toThrow('fakeModel: expected a list of responses, got "hello"');
    expect(() => fakeModel([], { pace: -1 })).toThrow("pace: expected a number of ms");
    const fake = fakeModel([{ text: "hello" } as never]);
    await expect(lastValueFrom(fake.streamFn(fake.model, context).pipe(toArray()))).rejects.toThrow(
      "fakeModel: expected a string or what say(), think(), call() … make, got an object",
    );
  });
});
