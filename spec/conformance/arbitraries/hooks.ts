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
import { delay, level, type Manners, modelIndex, sentMessage, word } from "./basics";

function hook<Act>(...acts: fc.WeightedArbitrary<Act>[]): fc.Arbitrary<HookSpec<Act>> {
  const nothing = { arbitrary: fc.constant(null), weight: 2 };
  return fc.record({ delay, acts: fc.array(fc.oneof(nothing, ...acts), { maxLength: 4 }) });
}

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

const contextAct = fc.constantFrom("shorten" as const, "append" as const);
const decision = fc.constantFrom("continue" as const, "end" as const);

type Failing = "throw" | "never";

function all(manners: Manners): { [K in keyof HookSpecs]-?: fc.Arbitrary<NonNullable<HookSpecs[K]>> } {
  const failing: fc.WeightedArbitrary<Failing>[] = [
    { arbitrary: fc.constant("throw"), weight: 1 },
    { arbitrary: fc.constant("never"), weight: manners === "calm" ? 0 : 1 },
  ];
  return {
    beforeToolCall: hook<BeforeAct>({ arbitrary: before, weight: 4 }, ...failing),
    afterToolCall: hook<AfterAct>({ arbitrary: after, weight: 4 }, ...failing),
    prepareRequest: hook<RequestAct | Failing>({ arbitrary: requestAct, weight: 6 }, ...failing),
    finishTurn: hook<"continue" | "end" | Failing>({ arbitrary: decision, weight: 6 }, ...failing),
    prepareNextTurn: hook<NextTurnAct | Failing>({ arbitrary: nextTurnAct, weight: 6 }, ...failing),
    prepareNextTurnWithContext: hook<NextTurnAct | Failing>(
      { arbitrary: nextTurnAct, weight: 6 },
      ...failing,
    ),
    transformContext: hook<"shorten" | "append" | Failing>({ arbitrary: contextAct, weight: 6 }, ...failing),
    convertToLlm: hook<Failing>({ arbitrary: fc.constant(null as never), weight: 7 }, ...failing),
    getApiKey: hook<"key" | Failing>({ arbitrary: fc.constant("key" as const), weight: 6 }, ...failing),
  };
}

/** Each hook in about one script of four. */
export function hooks(manners: Manners): fc.Arbitrary<HookSpecs> {
  const sometimes = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof(
      { withCrossShrink: true },
      { arbitrary: fc.constant(undefined), weight: 3 },
      { arbitrary, weight: 1 },
    );
  const maybe = Object.entries(all(manners)).map(([name, arbitrary]) => [name, sometimes(arbitrary)]);
  return fc
    .record(Object.fromEntries(maybe) as Record<string, fc.Arbitrary<unknown>>)
    .map(
      (specs) =>
        Object.fromEntries(Object.entries(specs).filter(([, spec]) => spec !== undefined)) as HookSpecs,
    );
}
