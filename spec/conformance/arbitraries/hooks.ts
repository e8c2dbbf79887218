import fc from "fast-check";
import type {
  AfterAct,
  BeforeAct,
  ContextChange,
  HookSpec,
  HookSpecs,
  NextTurnAct,
  RequestAct,
} from "../script";
import { delay, level, modelIndex, sentMessage, word } from "./basics";

function hook<Act>(...acts: fc.WeightedArbitrary<Act>[]): fc.Arbitrary<HookSpec<Act>> {
  const nothing = { arbitrary: fc.constant(null), weight: 2 };
  return fc.record({ delay, acts: fc.array(fc.oneof(nothing, ...acts), { maxLength: 4 }) }) as fc.Arbitrary<
    HookSpec<Act>
  >;
}

const failing = { arbitrary: fc.constant("throw" as const), weight: 1 };
const context = fc.constantFrom<ContextChange>("same", "append", "shorten", "retool", "fresh");

const before: fc.Arbitrary<BeforeAct> = fc.oneof(
  fc.constant("mutate" as const),
  fc.record(
    { block: fc.constant(true as const), reason: word, terminate: fc.boolean() },
    { requiredKeys: ["block"] },
  ),
);

const after: fc.Arbitrary<AfterAct> = fc.record(
  {
    content: fc.array(word, { maxLength: 1 }),
    details: word,
    structured: fc.nat({ max: 9 }),
    error: fc.boolean(),
    terminate: fc.boolean(),
    usage: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: [] },
);

const requestAct: fc.Arbitrary<RequestAct> = fc.record(
  { context, model: modelIndex, level },
  { requiredKeys: [] },
);
const nextTurnAct: fc.Arbitrary<NextTurnAct> = fc.record(
  { context, model: modelIndex, level, messages: fc.array(sentMessage, { maxLength: 2 }) },
  { requiredKeys: [] },
);

const decision = fc.constantFrom("continue" as const, "end" as const);

const all: { [K in keyof HookSpecs]-?: fc.Arbitrary<NonNullable<HookSpecs[K]>> } = {
  beforeToolCall: hook<BeforeAct>({ arbitrary: before, weight: 4 }, failing),
  afterToolCall: hook<AfterAct>({ arbitrary: after, weight: 4 }, failing),
  prepareRequest: hook<RequestAct | "throw">({ arbitrary: requestAct, weight: 6 }, failing),
  finishTurn: hook<"continue" | "end" | "throw">({ arbitrary: decision, weight: 6 }, failing),
  prepareNextTurn: hook<NextTurnAct | "throw">({ arbitrary: nextTurnAct, weight: 6 }, failing),
  prepareNextTurnWithContext: hook<NextTurnAct | "throw">({ arbitrary: nextTurnAct, weight: 6 }, failing),
  transformContext: hook<"shorten" | "append" | "throw">(
    { arbitrary: fc.constantFrom("shorten" as const, "append" as const), weight: 6 },
    failing,
  ),
  convertToLlm: hook<"throw">({ arbitrary: fc.constant(null as never), weight: 7 }, failing),
  getApiKey: hook<"key" | "throw">({ arbitrary: fc.constant("key" as const), weight: 6 }, failing),
};

/** Each hook in about one script of four. */
export const hooks: fc.Arbitrary<HookSpecs> = fc
  .record(
    Object.fromEntries(
      Object.entries(all).map(([name, arbitrary]) => [
        name,
        fc.oneof(
          { withCrossShrink: true },
          { arbitrary: fc.constant(undefined), weight: 3 },
          { arbitrary: arbitrary as fc.Arbitrary<unknown>, weight: 1 },
        ),
      ]),
    ),
  )
  .map(
    (specs) =>
      Object.fromEntries(Object.entries(specs).filter(([, spec]) => spec !== undefined)) as HookSpecs,
  );
