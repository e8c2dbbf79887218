import {
  ToolCallArgumentsStream,
  type AssistantMessage,
  type AssistantMessageEvent,
  type ToolCall,
} from "@earendil-works/pi-ai";
import fc from "fast-check";
import { emptyMessage } from "../../../src/proxy/emptyMessage";
import { model } from "./model";
import { usage } from "./usage";

/** What a provider streams of one block. */
type Block =
  | { type: "text"; deltas: string[]; signature?: string; end?: string }
  | { type: "thinking"; deltas: string[]; signature?: string; end?: string; redacted?: boolean }
  | { type: "toolCall"; id: string; name: string; json: string[]; thoughtSignature?: string };

/** A whole response: its blocks, whether the last one stays open, and how it ends. */
export interface Script {
  blocks: Block[];
  open: boolean;
  ending: Partial<AssistantMessage> & Pick<AssistantMessage, "stopReason">;
  /** Changes the content after its last block: what only the final message tells. */
  untold: boolean;
}

const text = fc.string({ unit: "binary", maxLength: 12 });
/** Cuts a text anywhere, inside a character of two code units too. */
const cut = (whole: fc.Arbitrary<string>) =>
  fc.tuple(whole, fc.array(fc.nat({ max: 6 }), { maxLength: 6 })).map(([rest, sizes]) => {
    const pieces = sizes.map((size) => {
      const piece = rest.slice(0, size);
      rest = rest.slice(size);
      return piece;
    });
    return [...pieces, rest];
  });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const json = fc.oneof(
  fc
    .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    .map((args) => JSON.stringify(args)),
  fc.constantFrom("", "{", '{"a": tru', "[]", "nonsense", '{"__proto__": {"a": 1}}'),
);

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({
    type: fc.constant("text" as const),
    deltas: cut(text),
    signature: maybe(text),
    end: maybe(text),
  }),
  fc.record({
    type: fc.constant("thinking" as const),
    deltas: cut(text),
    signature: maybe(text),
    end: maybe(text),
    redacted: maybe(fc.boolean()),
  }),
  fc.record({
    type: fc.constant("toolCall" as const),
    id: text,
    name: text,
    json: cut(json),
    thoughtSignature: maybe(text),
  }),
);

const ending: fc.Arbitrary<Script["ending"]> = fc.record(
  {
    stopReason: fc.constantFrom(...(["stop", "length", "toolUse", "deferred", "error", "aborted"] as const)),
    errorMessage: text,
    responseId: text,
    responseModel: text,
    rawStopReason: text,
    providerThinkingLevel: text,
    endTurn: fc.boolean(),
    deferred: fc.record({ provider: text, modelId: text, api: text, id: text }),
  },
  { requiredKeys: ["stopReason"] },
);

/** Any response of a provider. */
export const script: fc.Arbitrary<Script> = fc.record({
  blocks: fc.array(block, { maxLength: 4 }),
  open: fc.boolean(),
  ending,
  untold: fc.boolean(),
});

/** Plays a script as a provider does, on one live message. */
export function* play({ blocks, open, ending, untold }: Script): Generator<AssistantMessageEvent> {
  const partial = emptyMessage(model);
  const failed = ending.stopReason === "error" || ending.stopReason === "aborted";
  yield { type: "start", partial };
  for (const [contentIndex, one] of blocks.entries()) {
    const end = !(failed && open && contentIndex === blocks.length - 1);
    if (one.type === "toolCall") yield* playCall(one, contentIndex, partial, end);
    else yield* playText(one, contentIndex, partial, end);
  }
  if (untold) partial.content = [...partial.content, { type: "text", text: "untold" }];
  // The error text belongs to failures alone.
  const { errorMessage, ...rest } = ending;
  Object.assign(partial, rest, { usage }, failed && { errorMessage });
  if (failed) yield { type: "error", reason: ending.stopReason as "error", error: partial };
  else yield { type: "done", reason: ending.stopReason as "stop", message: partial };
}

function* playText(
  one: Extract<Block, { type: "text" | "thinking" }>,
  contentIndex: number,
  partial: AssistantMessage,
  end: boolean,
): Generator<AssistantMessageEvent> {
  const kind = one.type;
  const live: Record<string, unknown> = { type: kind, [kind]: "" };
  partial.content.push(live as never);
  yield { type: `${kind}_start`, contentIndex, partial };
  for (const delta of one.deltas) {
    live[kind] = (live[kind] as string) + delta;
    yield { type: `${kind}_delta`, contentIndex, delta, partial };
  }
  if (!end) return;
  if (one.end !== undefined) live[kind] = one.end;
  if (one.signature !== undefined) live[`${kind}Signature`] = one.signature;
  if (one.type === "thinking" && one.redacted !== undefined) live.redacted = one.redacted;
  yield { type: `${kind}_end`, contentIndex, content: live[kind] as string, partial };
}

function* playCall(
  { id, name, json, thoughtSignature }: Extract<Block, { type: "toolCall" }>,
  contentIndex: number,
  partial: AssistantMessage,
  end: boolean,
): Generator<AssistantMessageEvent> {
  const args = new ToolCallArgumentsStream();
  const live: ToolCall = { type: "toolCall", id, name, arguments: {} };
  partial.content.push(live);
  yield { type: "toolcall_start", contentIndex, partial };
  for (const delta of json) {
    live.arguments = args.append(delta);
    yield { type: "toolcall_delta", contentIndex, delta, partial };
  }
  if (!end) return;
  Object.assign(live, args.finish(), thoughtSignature !== undefined && { thoughtSignature });
  yield { type: "toolcall_end", contentIndex, toolCall: live, partial };
}
