import { describe, expect, it } from "@jest/globals";
import type { AssistantMessage, AssistantMessageEvent } from "@earendil-works/pi-ai";
import fc from "fast-check";
import { emptyMessage } from "../../src/proxy/emptyMessage";
import type { ProxyWireEvent } from "../../src/proxy/ProxyAssistantMessageEvent";
import { rebuildMessage } from "../../src/proxy/rebuildMessage";
import { toProxyEvent } from "../../src/proxy/toProxyEvent";
import { model } from "./support/model";
import { play, script } from "./support/script";
import { usage } from "./support/usage";

const messageOf = (event: AssistantMessageEvent): AssistantMessage => {
  if (event.type === "done") return event.message;
  return event.type === "error" ? event.error : event.partial;
};

/** What a message is as JSON, but for its clock. */
const plain = (message: AssistantMessage): unknown =>
  JSON.parse(JSON.stringify({ ...message, timestamp: 0 }));
const travel = (event: ProxyWireEvent | undefined) => JSON.parse(JSON.stringify(event)) as ProxyWireEvent;

describe("toProxyEvent", () => {
  it("sends no message but the client rebuilds it, at every event", () => {
    fc.assert(
      fc.property(script, (played) => {
        const encode = toProxyEvent(model);
        const rebuild = rebuildMessage(emptyMessage(model));
        for (const event of play(played)) {
          const rebuilt = rebuild(travel(encode(event)));
          const { partial: _, message: _m, error: _e, ...bare } = event as Record<string, unknown>;
          expect(JSON.parse(JSON.stringify(rebuilt))).toMatchObject(
            JSON.parse(JSON.stringify(bare)) as object,
          );
          expect(plain(messageOf(rebuilt!))).toEqual(plain(messageOf(event)));
        }
      }),
      { numRuns: 300 },
    );
  });

  it("strips partial and sends each text once", () => {
    const partial = emptyMessage(model);
    const encode = toProxyEvent(model);
    const wire = (event: AssistantMessageEvent) => travel(encode(event));
    expect(wire({ type: "start", partial })).toEqual({ type: "start" });
    partial.content = [{ type: "text", text: "", textSignature: "s" }];
    expect(wire({ type: "text_start", contentIndex: 0, partial })).toEqual({
      type: "text_start",
      contentIndex: 0,
    });
    const delta = { type: "text_delta" as const, contentIndex: 0, delta: "hi" };
    expect(wire({ ...delta, partial })).toEqual(delta);
    partial.content = [{ type: "text", text: "hi", textSignature: "s" }];
    expect(wire({ type: "text_end", contentIndex: 0, content: "hi", partial })).toEqual({
      type: "text_end",
      contentIndex: 0,
      contentSignature: "s",
    });
    const message = { ...partial, usage, stopReason: "stop" as const };
    expect(wire({ type: "done", reason: "stop", message })).toEqual({ type: "done", reason: "stop", usage });
  });

  it("sends the content of a response that told nothing else", () => {
    const message = { ...emptyMessage(model), content: [{ type: "text" as const, text: "hi" }], usage };
    expect(travel(toProxyEvent(model)({ type: "done", reason: "stop", message }))).toEqual({
      type: "done",
      reason: "stop",
      usage,
      content: message.content,
    });
  });

  it("keeps diagnostics on the server: they may hold its stack traces", () => {
    const diagnostics = [{ type: "failure", timestamp: 1, error: { message: "x", stack: "secret" } }];
    const error = { ...emptyMessage(model), diagnostics, errorMessage: "x" };
    expect(travel(toProxyEvent(model)({ type: "error", reason: "error", error }))).toEqual({
      type: "error",
      reason: "error",
      errorMessage: "x",
      usage: error.usage,
    });
  });

  it("throws at an event that does not fit", () => {
    const partial = emptyMessage(model);
    const encode = toProxyEvent(model);
    expect(() => encode({ type: "text_delta", contentIndex: 0, delta: "x", partial })).toThrow(
      "Received text_delta for non-text content",
    );
    expect(() => encode({ type: "toolcall_start", contentIndex: 0, partial })).toThrow(
      "Received toolcall_start without id",
    );
    expect(() => encode({ type: "text_end", contentIndex: 0, content: "", partial })).toThrow(
      "Received text_end for non-text content",
    );
  });

  it("has nothing to send for an event it does not know", () => {
    expect(toProxyEvent(model)({ type: "toString" } as unknown as AssistantMessageEvent)).toBeUndefined();
  });
});
