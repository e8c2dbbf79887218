import fc from "fast-check";
import type { BlockSpec, EndSpec, ResponseSpec } from "../script";
import { type Manners, ms, onAbort, word } from "./basics";
import { call } from "./tools";

const textBlock: fc.Arbitrary<BlockSpec> = fc.record({ text: word });
const thinkingBlock: fc.Arbitrary<BlockSpec> = fc.record({ thinking: word });
const talk = fc.array(fc.oneof(textBlock, thinkingBlock), { maxLength: 2 });

function calls(manners: Manners): fc.Arbitrary<BlockSpec[]> {
  const callBlock: fc.Arbitrary<BlockSpec> = fc.record({ call: call(manners) });
  return fc
    .tuple(talk, fc.array(callBlock, { minLength: 1, maxLength: 3 }), fc.array(textBlock, { maxLength: 1 }))
    .map(([before, wanted, after]) => [...before, ...wanted, ...after]);
}

const manner = {
  opens: fc.oneof(fc.constant(0), ms),
  pace: fc.oneof(fc.constant(0), ms),
  streamed: fc.boolean(),
  start: fc.oneof({ arbitrary: fc.constant(true), weight: 9 }, { arbitrary: fc.constant(false), weight: 1 }),
  live: fc.boolean(),
  trailing: fc.oneof({ arbitrary: fc.constant(0), weight: 5 }, { arbitrary: fc.constant(2), weight: 1 }),
};

const from = fc.constantFrom<ResponseSpec["from"]>("stream", "stream", "promise", "iterator");
const anyFrom = fc.oneof(
  { arbitrary: from, weight: 5 },
  { arbitrary: fc.constantFrom<ResponseSpec["from"]>("throws", "rejects"), weight: 1 },
);

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

function spec(
  fields: {
    from: fc.Arbitrary<ResponseSpec["from"]>;
    blocks: fc.Arbitrary<BlockSpec[]>;
    end: fc.Arbitrary<EndSpec>;
  },
  manners: Manners,
): fc.Arbitrary<ResponseSpec> {
  return manners === "calm"
    ? fc.record({ ...fields, ...manner })
    : fc.record({ ...fields, ...manner, onAbort });
}

export function response(manners: Manners): fc.Arbitrary<ResponseSpec> {
  const wanting = calls(manners);
  const anything = fc.oneof(talk, wanting);
  const end = (spec: EndSpec) => fc.constant(spec);
  const kinds = {
    using: spec({ from, blocks: wanting, end: end({ done: "toolUse" }) }, manners),
    answering: spec({ from, blocks: talk, end: end({ done: "stop" }) }, manners),
    odd: spec({ from: anyFrom, blocks: anything, end: oddEnd }, manners),
    /** Its iterator throws after its blocks, with or without an open message. */
    breaking: spec(
      { from: fc.constant("iterator"), blocks: anything, end: end({ breaks: "connection lost" }) },
      manners,
    ),
    stalling: spec({ from, blocks: anything, end: fc.constantFrom("never", "no result") }, manners),
  };
  return fc.oneof(
    { arbitrary: kinds.using, weight: 8 },
    { arbitrary: kinds.answering, weight: 3 },
    { arbitrary: kinds.odd, weight: 3 },
    { arbitrary: kinds.breaking, weight: 1 },
    { arbitrary: kinds.stalling, weight: manners === "calm" ? 0 : 2 },
  );
}
