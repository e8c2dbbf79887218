import fc from "fast-check";
import type { BlockSpec, EndSpec, ResponseSpec } from "../script";
import { ms, word } from "./basics";
import { call } from "./tools";

const textBlock: fc.Arbitrary<BlockSpec> = fc.record({ text: word });
const thinkingBlock: fc.Arbitrary<BlockSpec> = fc.record({ thinking: word });
const callBlock: fc.Arbitrary<BlockSpec> = fc.record({ call });

const talk = fc.array(fc.oneof(textBlock, thinkingBlock), { maxLength: 2 });
const calls = fc
  .tuple(talk, fc.array(callBlock, { minLength: 1, maxLength: 3 }), fc.array(textBlock, { maxLength: 1 }))
  .map(([before, wanted, after]) => [...before, ...wanted, ...after]);

const manner = {
  opens: fc.oneof(fc.constant(0), ms),
  pace: fc.oneof(fc.constant(0), ms),
  streamed: fc.boolean(),
  start: fc.oneof({ arbitrary: fc.constant(true), weight: 9 }, { arbitrary: fc.constant(false), weight: 1 }),
  live: fc.boolean(),
  trailing: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: fc.constant(2), weight: 1 }),
};

const from = fc.constantFrom<ResponseSpec["from"]>("stream", "stream", "promise", "iterator");

const using: fc.Arbitrary<ResponseSpec> = fc.record({
  from,
  ...manner,
  blocks: calls,
  end: fc.constant<EndSpec>({ done: "toolUse" }),
});

const answering: fc.Arbitrary<ResponseSpec> = fc.record({
  from,
  ...manner,
  blocks: talk,
  end: fc.constant<EndSpec>({ done: "stop" }),
});

const oddEnd: fc.Arbitrary<EndSpec> = fc.oneof(
  fc.record({ done: fc.constantFrom("stop" as const, "toolUse" as const, "length" as const) }),
  fc.record({
    result: fc.constantFrom("stop" as const, "toolUse" as const, "length" as const, "error" as const),
  }),
  fc.record(
    { error: fc.constantFrom("error" as const, "aborted" as const), message: fc.constant("provider error") },
    { requiredKeys: ["error"] },
  ),
);

const odd: fc.Arbitrary<ResponseSpec> = fc.record({
  from: fc.oneof(
    { arbitrary: from, weight: 5 },
    { arbitrary: fc.constantFrom("throws" as const, "rejects" as const), weight: 1 },
  ),
  ...manner,
  blocks: fc.oneof(talk, calls),
  end: oddEnd,
});

/** Its iterator throws after its blocks, with or without an open message. */
const breaking: fc.Arbitrary<ResponseSpec> = fc.record({
  from: fc.constant("iterator" as const),
  ...manner,
  blocks: fc.oneof(talk, calls),
  end: fc.constant<EndSpec>({ breaks: "connection lost" }),
});

export const response = fc.oneof(
  { arbitrary: using, weight: 8 },
  { arbitrary: answering, weight: 3 },
  { arbitrary: odd, weight: 3 },
  { arbitrary: breaking, weight: 1 },
);
