import {
  parseStreamingJson,
  type Api,
  type AssistantMessage,
  type AssistantMessageEvent,
  type Model,
  type ToolCall,
  type Usage,
} from "@earendil-works/pi-ai";
import { asyncScheduler } from "rxjs";
import { blankAnswer } from "./blankAnswer";
import type { FakePart } from "./FakeResponse";

/** A provider event, or how many ms to wait; `Infinity` is a stall. */
export type ResponseStep = AssistantMessageEvent | number;

const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

/**
 * Writes one response part by part, as provider events.
 *
 * @remarks All events show one message, which grows in place as that of a real provider does; a terminal event has its own.
 */
export class ResponseWriter {
  readonly #message: AssistantMessage;
  readonly #nextId: () => string;
  readonly #pace: number;
  readonly #noUsage: Usage;

  constructor(model: Model<Api>, nextId: () => string, pace: number) {
    this.#nextId = nextId;
    this.#pace = pace;
    this.#message = { ...blankAnswer(model), timestamp: asyncScheduler.now() };
    this.#noUsage = this.#message.usage;
  }

  start(): AssistantMessageEvent {
    return { type: "start", partial: this.#message };
  }

  /** The events of a part. After `fail`, `cut` or a stall the response is over. */
  *write(part: FakePart): Generator<ResponseStep, void, void> {
    switch (part.part) {
      case "text":
        return yield* this.#text(part);
      case "thinking":
        return yield* this.#thinking(part);
      case "call":
        return yield* this.#call(part);
      case "fail":
        return yield this.error("error", part.message);
      case "stall":
        return yield Infinity;
      case "pause":
        return yield part.ms;
      case "cut":
        return yield this.done("length");
      case "spend":
        return this.#spend(part.usage);
    }
  }

  done(reason?: "stop" | "length" | "toolUse"): AssistantMessageEvent {
    const calls = this.#message.content.some(({ type }) => type === "toolCall");
    const stopReason = reason ?? (calls ? "toolUse" : "stop");
    return { type: "done", reason: stopReason, message: { ...structuredClone(this.#message), stopReason } };
  }

  error(reason: "error" | "aborted", errorMessage: string): AssistantMessageEvent {
    const error = { ...structuredClone(this.#message), stopReason: reason, errorMessage };
    return { type: "error", reason, error };
  }

  *#text({ text, deltas }: Extract<FakePart, { part: "text" }>): Generator<ResponseStep, void, void> {
    const partial = this.#message;
    const block = { type: "text" as const, text: "" };
    const contentIndex = partial.content.push(block) - 1;
    yield { type: "text_start", contentIndex, partial };
    for (const delta of deltas) {
      yield this.#pace;
      block.text += delta;
      yield { type: "text_delta", contentIndex, delta, partial };
    }
    yield { type: "text_end", contentIndex, content: text, partial };
  }

  *#thinking({ text, deltas }: Extract<FakePart, { part: "thinking" }>): Generator<ResponseStep, void, void> {
    const partial = this.#message;
    const block = { type: "thinking" as const, thinking: "" };
    const contentIndex = partial.content.push(block) - 1;
    yield { type: "thinking_start", contentIndex, partial };
    for (const delta of deltas) {
      yield this.#pace;
      block.thinking += delta;
      yield { type: "thinking_delta", contentIndex, delta, partial };
    }
    yield { type: "thinking_end", contentIndex, content: text, partial };
  }

  *#call({ id, name, args }: Extract<FakePart, { part: "call" }>): Generator<ResponseStep, void, void> {
    const partial = this.#message;
    const toolCall: ToolCall = { type: "toolCall", id: id ?? this.#nextId(), name, arguments: {} };
    const contentIndex = partial.content.push(toolCall) - 1;
    yield { type: "toolcall_start", contentIndex, partial };
    let text = "";
    for (const delta of halves(JSON.stringify(args))) {
      yield this.#pace;
      text += delta;
      toolCall.arguments = parseStreamingJson<ToolCall["arguments"]>(text);
      yield { type: "toolcall_delta", contentIndex, delta, partial };
    }
    yield { type: "toolcall_end", contentIndex, toolCall, partial };
  }

  #spend(usage: Partial<Usage>): void {
    const all = { ...this.#noUsage, ...usage };
    const sum = all.input + all.output + all.cacheRead + all.cacheWrite;
    this.#message.usage = { ...all, totalTokens: usage.totalTokens ?? sum };
  }
}
