import type { Api, AssistantMessage, AssistantMessageEvent, Model, ToolCall } from "@earendil-works/pi-ai";
import type { ArgsSpec, BlockSpec, ResponseSpec } from "../script";
import { usage } from "./messages";
import type { World } from "./world";

export interface ScriptedResponse {
  spec: ResponseSpec;
  events(): Generator<AssistantMessageEvent>;
  /** The answer of a stream that ends without a terminal event. */
  final(): AssistantMessage;
  /** The terminal event of a provider that heard the abort. */
  aborted(): AssistantMessageEvent;
}

const argsOf: Record<ArgsSpec, ToolCall["arguments"]> = {
  valid: { path: "a.txt" },
  coerced: { path: "a.txt", count: "3" },
  renamed: { file: "a.txt" },
  invalid: { path: {}, count: "many" },
  broken: {},
};

type Block = AssistantMessage["content"][number];

/** Messages are changed in place as pi-ai's providers do; a spec that is not live shows copies instead. */
class Response implements ScriptedResponse {
  private readonly message: AssistantMessage;

  constructor(
    private readonly world: World,
    private readonly nth: number,
    readonly spec: ResponseSpec,
    model: Model<Api>,
  ) {
    this.message = {
      role: "assistant",
      content: [],
      api: model.api,
      provider: model.provider,
      model: model.id,
      usage: usage(nth + 1),
      stopReason: "stop",
      timestamp: Date.now(),
    };
    this.announceCalls();
  }

  *events(): Generator<AssistantMessageEvent> {
    const { spec } = this;
    if (spec.streamed && spec.start) yield { type: "start", partial: this.shown() };
    for (const block of spec.blocks) yield* this.blockEvents(block);
    const { end } = spec;
    if (typeof end !== "object") return;
    if ("done" in end)
      yield { type: "done", reason: end.done, message: this.ended({ stopReason: end.done }) };
    if ("error" in end) {
      const error = this.ended({
        stopReason: end.error,
        ...(end.message ? { errorMessage: end.message } : {}),
      });
      yield { type: "error", reason: end.error, error };
    }
    for (let n = 0; n < spec.trailing; n++) {
      yield { type: "text_delta", contentIndex: 0, delta: "too late", partial: this.shown() };
    }
  }

  final(): AssistantMessage {
    const { end } = this.spec;
    const stopReason = typeof end === "object" && "result" in end ? end.result : "stop";
    return this.ended({ stopReason, ...(stopReason === "error" ? { errorMessage: "ended badly" } : {}) });
  }

  aborted(): AssistantMessageEvent {
    const error = this.ended({ stopReason: "aborted", errorMessage: "provider saw the abort" });
    return { type: "error", reason: "aborted", error };
  }

  private *blockEvents(block: BlockSpec): Generator<AssistantMessageEvent> {
    const contentIndex = this.message.content.length;
    if ("call" in block) {
      const toolCall = this.toolCall(contentIndex);
      const told = toolCall.arguments;
      toolCall.arguments = {};
      this.message.content.push(toolCall);
      if (this.spec.streamed) yield { type: "toolcall_start", contentIndex, partial: this.shown() };
      if (this.spec.streamed) {
        yield { type: "toolcall_delta", contentIndex, delta: JSON.stringify(told), partial: this.shown() };
      }
      toolCall.arguments = told;
      if (this.spec.streamed) yield { type: "toolcall_end", contentIndex, toolCall, partial: this.shown() };
      return;
    }
    const words = "text" in block ? block.text : block.thinking;
    const kind = "text" in block ? "text" : "thinking";
    const grown: Block = kind === "text" ? { type: "text", text: "" } : { type: "thinking", thinking: "" };
    this.message.content.push(grown);
    if (this.spec.streamed) yield { type: `${kind}_start`, contentIndex, partial: this.shown() };
    for (const delta of words.split(/(?<= )/)) {
      if (grown.type === "text") grown.text += delta;
      if (grown.type === "thinking") grown.thinking += delta;
      if (this.spec.streamed) yield { type: `${kind}_delta`, contentIndex, delta, partial: this.shown() };
    }
    if (this.spec.streamed)
      yield { type: `${kind}_end`, contentIndex, content: words, partial: this.shown() };
  }

  private callId(blockIndex: number): string {
    const block = this.spec.blocks[blockIndex];
    return (block && "call" in block && block.call.id) || `call-${this.nth}.${blockIndex}`;
  }

  private toolCall(blockIndex: number): ToolCall {
    const block = this.spec.blocks[blockIndex];
    if (!block || !("call" in block)) throw new Error("not a call");
    const { tool, args } = block.call;
    return {
      type: "toolCall",
      id: this.callId(blockIndex),
      name: tool,
      arguments: { ...argsOf[args] },
      ...(args === "broken" ? { argumentsError: "no JSON" } : {}),
    };
  }

  private announceCalls(): void {
    const calls = this.spec.blocks.flatMap((block, at) =>
      "call" in block ? [{ spec: block.call, at }] : [],
    );
    this.world.announceCalls(
      calls.map(({ spec, at }, index) => ({
        id: this.callId(at),
        call: { spec, index, batch: calls.length },
      })),
    );
  }

  private shown(): AssistantMessage {
    return this.spec.live
      ? this.message
      : { ...this.message, content: this.message.content.map((b) => ({ ...b })) };
  }

  private ended(fields: Partial<AssistantMessage>): AssistantMessage {
    if (this.spec.live) return this.world.name(Object.assign(this.message, fields), `answer-${this.nth}`);
    return this.world.name({ ...this.shown(), ...fields }, `answer-${this.nth}`);
  }
}

export function responseEvents(
  world: World,
  nth: number,
  spec: ResponseSpec,
  model: Model<Api>,
): ScriptedResponse {
  return new Response(world, nth, spec, model);
}
