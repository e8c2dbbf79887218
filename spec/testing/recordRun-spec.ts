import { createModels, type AssistantMessageEvent } from "@earendil-works/pi-ai";
import { describe, expect, it } from "@jest/globals";
import { Agent, type AgentEvent, type ReactiveStreamFn } from "pi-agent-rx";
import {
  call,
  checkRun,
  fail,
  fakeModel,
  fakeTool,
  messageLine,
  recordRun,
  replayRun,
  say,
  stall,
  think,
  type FakeModel,
  type Recording,
  type RecordingEntry,
} from "pi-agent-rx/testing";
import { lastValueFrom, Observable, of, throwError, toArray } from "rxjs";
import { virtually } from "../agent/support/virtually";

const script = [[think("Hm."), call("read", { path: "a" })], say("It says hello.")];

function agentOn(streamFn: ReactiveStreamFn, model: FakeModel["model"]) {
  const tools = [fakeTool("read", { updates: [{ at: 5, text: "half" }], at: 10, text: "hello" })];
  return new Agent({ streamFn, initialState: { model, tools } });
}

/** A recording of a run of two turns, in virtual time. */
function recorded(responses: Parameters<typeof fakeModel>[0] = script, abortAt?: number) {
  const fake = fakeModel(responses, { pace: 10 });
  const agent = agentOn(fake.streamFn, fake.model);
  let recording: Recording | undefined;
  const events: AgentEvent[] = [];
  virtually(({ at, flush }) => {
    agent.events$.subscribe((event) => events.push(event));
    const recorder = recordRun(agent);
    agent.prompt$("Read it").subscribe();
    if (abortAt !== undefined) at(abortAt, () => agent.abort());
    flush();
    recording = recorder.stop();
  })();
  return { recording: recording!, fake, agent, events };
}

const kinds = (recording: Recording, kind: RecordingEntry["kind"]) =>
  recording.entries.filter((entry) => entry.kind === kind);

const eventTypes = (recording: Recording) =>
  recording.entries.flatMap((entry) => (entry.kind === "event" ? [entry.event.type] : []));

/** A run on this provider, recorded in real time. */
async function record(streamFn: ReactiveStreamFn) {
  const { model } = fakeModel();
  const agent = agentOn(streamFn, model);
  const recorder = recordRun(agent);
  await agent.prompt("go");
  return recorder.stop();
}

/** The transcript of a run on a recording, and how it ended. */
async function replayed(recording: Recording) {
  const { model } = fakeModel();
  const agent = agentOn(replayRun(recording, { pace: 0 }).streamFn, model);
  await agent.prompt("go");
  return { lines: agent.state.messages.slice(1).map((m) => messageLine(m)), error: agent.state.errorMessage };
}

describe("recordRun", () => {
  it("records plain JSON that obeys the laws", () => {
    const { recording, events } = recorded();
    expect(JSON.parse(JSON.stringify(recording))).toEqual(recording);
    expect(eventTypes(recording)).toEqual(events.map(({ type }) => type));
    expect(kinds(recording, "request")).toHaveLength(2);
    expect(kinds(recording, "observed")).toHaveLength(events.length);
    expect(kinds(recording, "rest")).toHaveLength(1);
    expect(kinds(recording, "changed")).toEqual([]);
    expect(() => checkRun(recording)).not.toThrow();
  });

  it("records times as the time since the entry before", () => {
    const { recording } = recorded(["a b"]);
    const provider = kinds(recording, "provider") as Extract<RecordingEntry, { kind: "provider" }>[];
    const total = recording.entries.reduce((sum, { after }) => sum + after, 0);
    expect(provider.filter(({ event }) => event.type === "text_delta").map(({ after }) => after)).toEqual([
      10, 10,
    ]);
    expect(total).toBe(20);
  });

  it("copies a live message when it is seen", () => {
    const { recording } = recorded(["a b"]);
    const texts = recording.entries.flatMap((entry) =>
      entry.kind === "provider" && "partial" in entry.event ? [messageLine(entry.event.partial)] : [],
    );
    expect(texts).toEqual([
      "assistant: ",
      "assistant: ",
      "assistant: a ",
      "assistant: a b",
      "assistant: a b",
    ]);
  });

  it("records an abort, after which nothing starts", () => {
    const { recording } = recorded([[say("Let me see"), stall()]], 100);
    expect(kinds(recording, "abort")).toHaveLength(1);
    expect(() => checkRun(recording)).not.toThrow();
  });

  it("finds what changes after it was shown", async () => {
    const fake = fakeModel(["one"]);
    const agent = agentOn(fake.streamFn, fake.model);
    const recorder = recordRun(agent);
    agent.events$.subscribe((event) => {
      if (event.type === "turn_end") Object.assign(event.message, { note: 1 });
    });
    await agent.prompt("go");
    expect(() => checkRun(recorder.recording)).toThrow(
      "I8: turn_end.message.note changed after it was shown",
    );
  });

  it("takes note of trouble", () => {
    const fake = fakeModel();
    const recorder = recordRun(agentOn(fake.streamFn, fake.model));
    recorder.trouble(new Error("boom"));
    expect(() => checkRun(recorder.stop())).toThrow("I5: boom escaped");
  });

  it("gives the agent back as it was", async () => {
    const fake = fakeModel(["one", "two"]);
    const agent = agentOn(fake.streamFn, fake.model);
    const recorder = recordRun(agent);
    await agent.prompt("go");
    const { entries } = recorder.stop();
    expect(agent.streamFunction).toBe(fake.streamFn);
    await agent.prompt("go");
    expect(recorder.recording.entries).toEqual(entries);
  });

  it("records a provider of pi-ai", async () => {
    const fake = fakeModel(script);
    const models = createModels();
    models.setProvider(fake.provider);
    const agent = agentOn((...request) => models.streamSimple(...request), fake.model);
    const recorder = recordRun(agent);
    await agent.prompt("Read it");
    const recording = recorder.stop();
    expect(() => checkRun(recording)).not.toThrow();
    expect((await replayed(recording)).lines).toEqual(
      agent.state.messages
        .slice(1)
        .map((m) => messageLine(m))
        .with(0, "user: go"),
    );
  });
});

describe("replayRun", () => {
  it("answers as the recorded provider did, at the recorded times", () => {
    const { recording, fake, events } = recorded();
    const json = JSON.parse(JSON.stringify(recording)) as Recording;
    const agent = agentOn(replayRun(json).streamFn, fake.model);
    virtually(({ flush }) => {
      const recorder = recordRun(agent);
      agent.prompt$("Read it").subscribe();
      flush();
      const again = recorder.stop();
      const shape = (entries: RecordingEntry[]) => entries.map(({ after, kind }) => ({ after, kind }));
      expect(shape(again.entries)).toEqual(shape(recording.entries));
      expect(eventTypes(again)).toEqual(events.map(({ type }) => type));
    })();
  });

  it("plays the recorded events at the recorded times", () => {
    const { recording, events } = recorded();
    virtually(({ flush, now }) => {
      const at: number[] = [];
      const types: string[] = [];
      replayRun(recording).events$.subscribe(({ type }) => {
        at.push(now());
        types.push(type);
      });
      flush();
      expect(types).toEqual(events.map(({ type }) => type));
      expect(at.at(-1)).toBe(recording.entries.reduce((sum, { after }) => sum + after, 0));
    })();
  });

  it("plays at another pace", () => {
    const { recording } = recorded(["a b"]);
    virtually(({ flush, now }) => {
      const at: number[] = [];
      replayRun(recording, { pace: 3 }).events$.subscribe(() => at.push(now()));
      flush();
      expect(at.slice(0, 3)).toEqual([3, 6, 9]);
    })();
  });

  it("plays at once, for each subscriber from the start", async () => {
    const { recording } = recorded();
    const { events$ } = replayRun(recording, { pace: 0 });
    const [first, second] = await Promise.all(
      [events$, events$].map((e$) => lastValueFrom(e$.pipe(toArray()))),
    );
    expect(first).toEqual(second);
    expect(() => checkRun(first!)).not.toThrow();
  });

  it("records what it is asked, and fails readably beyond the recording", async () => {
    const { recording, fake } = recorded(["one"]);
    const replay = replayRun(recording, { pace: 0 });
    const agent = agentOn(replay.streamFn, fake.model);
    await agent.prompt("first");
    await agent.prompt("second");
    expect(replay.requests).toHaveLength(2);
    expect(agent.state.errorMessage).toBe(
      "replayRun: request 2, but the recording holds 1. Its last message: user: second",
    );
  });

  it.each<[string, ReactiveStreamFn, string]>([
    ["tells an error", fakeModel([fail("overloaded")]).streamFn, "overloaded"],
    ["throws", () => throwError(() => new Error("broken")), "broken"],
    [
      "throws at once",
      () => {
        throw new Error("broken");
      },
      "broken",
    ],
    ["rejects", () => Promise.reject(new Error("broken")), "broken"],
    [
      "ends without a terminal event",
      () => of(),
      "The provider's stream ended without a done or error event",
    ],
    [
      "ends without one after a promise",
      () => Promise.resolve((async function* (): AsyncGenerator<AssistantMessageEvent> {})()),
      "The provider's stream ended without a done or error event",
    ],
  ])("plays a provider again that %s", async (_, streamFn, error) => {
    expect((await replayed(await record(streamFn))).error).toBe(error);
  });

  it("takes an answer that only result() gave", async () => {
    const message = {
      ...fakeModel().model,
      role: "assistant",
      content: [{ type: "text", text: "mine" }],
      stopReason: "stop",
    };
    const stream = { result: async () => message, async *[Symbol.asyncIterator]() {} };
    expect((await replayed(await record(() => stream as never))).lines).toContain("assistant: mine");
  });

  it("stalls where the recording did, and hears the abort", () => {
    const { recording, fake } = recorded([new Observable<AssistantMessageEvent>()], 5);
    const agent = agentOn(replayRun(recording).streamFn, fake.model);
    virtually(({ at, flush }) => {
      agent.prompt$("go").subscribe();
      at(50, () => {
        expect(agent.state.isStreaming).toBe(true);
        agent.abort();
      });
      flush();
      expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
    })();
  });

  it("names what is no recording", () => {
    expect(() => replayRun({} as never)).toThrow(
      "replayRun: expected a recording of version 1, got an object",
    );
    expect(() => replayRun({ version: 1, entries: [] }, { pace: -1 })).toThrow("pace: expected");
  });
});
