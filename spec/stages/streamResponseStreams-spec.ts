import { describe, expect, it, jest } from "@jest/globals";
import { createAssistantMessageEventStream, type AssistantMessageEvent } from "@earendil-works/pi-ai";
import { firstValueFrom, identity, lastValueFrom, of, toArray, type Observable } from "rxjs";
import {
  type Gate,
  runControl,
  streamResponse,
  type AgentEvent,
  type ModelRequest,
  type StreamOutput,
} from "pi-agent-rx";
import { assistant, model } from "../support/fixtures";
import { nothingStray, settled } from "../support/nothingStray";
import { delta, start, terminal } from "../support/providerEvents";

const request: ModelRequest = { model, context: { messages: [] } as never, options: {} };
const asked = (stream: StreamOutput, busy?: Gate["busy"]) =>
  of(request).pipe(
    streamResponse({
      streamFn: () => stream,
      control: runControl(),
      gate: Object.assign(identity<Observable<AgentEvent>>, { busy }),
    }),
  );
const events = (stream: StreamOutput) => lastValueFrom(asked(stream).pipe(toArray()));

/** An event stream of pi's kind with a result of its own. */
function withResult(result: () => unknown, ...given: AssistantMessageEvent[]): StreamOutput {
  async function* iterate() {
    yield* given;
  }
  return Object.assign(iterate(), { result }) as StreamOutput;
}

describe("streamResponse of event streams", () => {
  nothingStray();

  it("reads pi's event stream up to its terminal event", async () => {
    const stream = createAssistantMessageEventStream();
    const message = assistant("a");
    for (const event of [start(), delta("a"), terminal(message), delta("b")]) stream.push(event);
    const seen = await events(stream);
    expect(seen.map(({ type }) => type)).toEqual(["start", "text_delta", "done"]);
    expect(seen.at(-1)).toHaveProperty("message", message);
  });

  it("reads any async iterable, and ignores what follows the terminal event", async () => {
    async function* source() {
      yield start();
      yield terminal(assistant("a"));
      yield delta("b");
    }
    expect((await events(source())).map(({ type }) => type)).toEqual(["start", "done"]);
  });

  it("completes with an async iterable that has no terminal event and no result", async () => {
    async function* source() {
      yield start();
    }
    expect((await events(source())).map(({ type }) => type)).toEqual(["start"]);
  });

  it("answers with the result of a stream that ends without a terminal event", async () => {
    const message = assistant("a");
    const given = await events(withResult(() => Promise.resolve(message), start()));
    expect(given.at(-1)).toEqual({ type: "done", reason: "stop", message });
    const failed = assistant("a", { stopReason: "error" });
    const [event] = await events(withResult(() => Promise.resolve(failed)));
    expect(event).toEqual({ type: "error", reason: "error", error: failed });
  });

  it("prefers the result over another message in the terminal event", async () => {
    const [own, result] = [assistant("own"), assistant("result")];
    const given = await events(withResult(() => Promise.resolve(result), terminal(own)));
    expect(given).toEqual([{ type: "done", reason: "stop", message: result }]);
  });

  it("does without a result that has not settled a tick later", async () => {
    const never = () => new Promise(() => {});
    await expect(events(withResult(never, start()))).resolves.toHaveLength(1);
    await expect(events(withResult(never, start(), terminal(assistant("a"))))).resolves.toHaveLength(2);
  });

  it("fails when the result rejects, and swallows one that rejects too late", async () => {
    const failed = withResult(() => Promise.reject(new Error("no result")), start());
    await expect(events(failed)).rejects.toThrow("no result");
    let reject = (_error: Error) => {};
    const late = withResult(() => new Promise((_, no) => (reject = no)), start());
    await expect(events(late)).resolves.toHaveLength(1);
    reject(new Error("late"));
  });

  it("fails when the iteration fails", async () => {
    async function* source(): AsyncGenerator<AssistantMessageEvent> {
      yield start();
      throw new Error("reset");
    }
    await expect(events(source())).rejects.toThrow("reset");
  });

  it("tells a stream to return when it is left or its terminal event has come", async () => {
    const ended = jest.fn();
    async function* source() {
      try {
        yield start();
        yield terminal(assistant("a"));
        yield delta("b");
      } finally {
        ended();
      }
    }
    await events(source());
    await settled();
    expect(ended).toHaveBeenCalledTimes(1);
    await firstValueFrom(asked(source()));
    await settled();
    expect(ended).toHaveBeenCalledTimes(2);
  });

  it("leaves a stalled generator behind", async () => {
    let reject = (_error: Error) => {};
    async function* stalled(): AsyncGenerator<AssistantMessageEvent> {
      yield start();
      await new Promise((_, no) => (reject = no));
    }
    const subscription = asked(stalled()).subscribe();
    await settled();
    subscription.unsubscribe();
    reject(new Error("late"));
  });

  it("reads no further while the gate is busy", async () => {
    let free = () => {};
    const busy = (onFree: () => void) => (free = onFree) !== undefined;
    let read = 0;
    async function* source() {
      for (read = 1; read <= 2; read++) yield start();
    }
    const all = lastValueFrom(asked(source(), busy).pipe(toArray()));
    await settled();
    expect(read).toBe(1);
    free();
    await settled();
    free();
    await expect(all).resolves.toHaveLength(2);
  });

  it("asks for the result only when the reading has ended: before, a stream may not know it", async () => {
    const result = jest.fn(() => Promise.reject(new Error("no result")));
    async function* source() {
      yield start();
      await new Promise(() => {});
    }
    const subscription = asked(Object.assign(source(), { result }) as never).subscribe();
    await settled();
    expect(result).not.toHaveBeenCalled();
    subscription.unsubscribe();
  });

  it("gives the answer of a stream that had ended by the deadline, though a busy gate kept it from being read", async () => {
    const control = runControl(0);
    const stream = createAssistantMessageEventStream();
    const message = assistant("a");
    const gate = Object.assign(identity<Observable<AgentEvent>>, { busy: () => true });
    const all = lastValueFrom(
      of(request).pipe(streamResponse({ streamFn: () => stream, control, gate }), toArray()),
    );
    for (const event of [start(), delta("a"), terminal(message)]) stream.push(event);
    await settled();
    control.abort();
    const seen = await all;
    expect(seen.map(({ type }) => type)).toEqual(["start", "done"]);
    expect(seen.at(-1)).toHaveProperty("message", message);
  });
});
