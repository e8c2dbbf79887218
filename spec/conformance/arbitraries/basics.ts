import fc from "fast-check";
import type { Delay, Level, MessageSpec, Mode, QueueMode } from "../script";

/** Calm scripts can be compared with pi; unruly ones abort, stall and fail wherever they can. */
export type Manners = "calm" | "unruly";

export const word = fc.constantFrom("alpha", "beta gamma", "delta");
export const ms = fc.integer({ min: 1, max: 150 });
export const modelIndex = fc.nat({ max: 2 });
export const level = fc.constantFrom<Level>("off", "low", "high");
export const mode = fc.constantFrom<Mode>("sequential", "parallel");
export const queueMode = fc.constantFrom<QueueMode>("one-at-a-time", "all");
export const delay: fc.Arbitrary<Delay> = fc.oneof(
  { withCrossShrink: true },
  fc.constant("sync" as const),
  fc.constant("promise" as const),
  ms,
);
/** Indices into the palette of four tools. */
export const toolList = fc.uniqueArray(fc.nat({ max: 3 }), { maxLength: 3 });

const userMessage: fc.Arbitrary<MessageSpec> = fc.record(
  { role: fc.constant("user" as const), text: word, images: fc.nat({ max: 2 }) },
  { requiredKeys: ["role", "text"] },
);
const systemMessage: fc.Arbitrary<MessageSpec> = fc.record(
  {
    role: fc.constant("system" as const),
    text: word,
    sections: fc.dictionary(fc.constantFrom("rules", "style"), fc.option(word), { maxKeys: 2 }),
    tools: toolList,
  },
  { requiredKeys: ["role"] },
);
const noteMessage: fc.Arbitrary<MessageSpec> = fc.record({ role: fc.constant("note" as const), text: word });
const assistantMessage: fc.Arbitrary<MessageSpec> = fc.record(
  { role: fc.constant("assistant" as const), text: word, call: fc.constant("old-call") },
  { requiredKeys: ["role", "text"] },
);
const toolResultMessage: fc.Arbitrary<MessageSpec> = fc.record({
  role: fc.constant("toolResult" as const),
  text: word,
  call: fc.constant("old-call"),
});

/** What a provider or a tool does when its signal aborts: nothing, or so many milliseconds later it ends. */
export const onAbort = fc.oneof(fc.constant("ignores" as const), fc.constant(0), ms);

/** What a user sends. */
export const sentMessage = fc.oneof(
  { arbitrary: userMessage, weight: 6 },
  { arbitrary: systemMessage, weight: 2 },
  { arbitrary: noteMessage, weight: 1 },
);
/** What a transcript may hold. */
export const anyMessage = fc.oneof(
  { arbitrary: userMessage, weight: 4 },
  { arbitrary: assistantMessage, weight: 3 },
  { arbitrary: toolResultMessage, weight: 2 },
  { arbitrary: systemMessage, weight: 1 },
  { arbitrary: noteMessage, weight: 1 },
);
