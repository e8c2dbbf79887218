import fc from "fast-check";
import type { ArgsSpec, Behaviour, CallSpec, ResultSpec, ToolOutcome, ToolSpec } from "../script";
import { delay, type Manners, mode, onAbort, word } from "./basics";

const result: fc.Arbitrary<ResultSpec> = fc.record(
  {
    content: fc.oneof(
      { arbitrary: fc.array(word, { maxLength: 2 }), weight: 5 },
      { arbitrary: fc.constant("missing" as const), weight: 1 },
    ),
    details: word,
    structured: fc.nat({ max: 9 }),
    isError: fc.constant(true as const),
    terminate: fc.boolean(),
    usage: fc.integer({ min: 1, max: 9 }),
  },
  { requiredKeys: ["content"] },
);

const plainResult: fc.Arbitrary<ResultSpec> = fc.record({
  content: fc.array(word, { minLength: 1, maxLength: 1 }),
});
const terminating: fc.Arbitrary<ResultSpec> = fc.record({
  content: fc.constant(["enough"]),
  terminate: fc.constant(true as const),
});

const outcome: fc.Arbitrary<ToolOutcome> = fc.oneof(
  { arbitrary: fc.record({ returns: plainResult }), weight: 5 },
  { arbitrary: fc.record({ returns: result }), weight: 4 },
  { arbitrary: fc.record({ returns: terminating }), weight: 2 },
  {
    arbitrary: fc.record({
      throws: fc.constantFrom("error" as const, "string" as const, "undefined" as const),
    }),
    weight: 2,
  },
  { arbitrary: fc.constant("nothing" as const), weight: 1 },
);

const updates = fc.oneof(
  { arbitrary: fc.constant<number[]>([]), weight: 1 },
  {
    arbitrary: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })), { maxLength: 3 }),
    weight: 1,
  },
);

const calmBehaviour: fc.Arbitrary<Behaviour> = fc.record({ settles: delay, updates, outcome });
const unrulyBehaviour: fc.Arbitrary<Behaviour> = fc.record({
  settles: delay,
  updates,
  outcome: fc.oneof(
    { arbitrary: outcome, weight: 4 },
    { arbitrary: fc.constant("never" as const), weight: 1 },
  ),
  onAbort,
});

const args = fc.oneof(
  { arbitrary: fc.constant<ArgsSpec>("valid"), weight: 6 },
  { arbitrary: fc.constantFrom<ArgsSpec>("coerced", "renamed", "invalid", "broken"), weight: 2 },
);

const toolName = fc.oneof(
  { arbitrary: fc.constantFrom("read", "write"), weight: 6 },
  { arbitrary: fc.constant("search"), weight: 1 },
  { arbitrary: fc.constant("ghost"), weight: 1 },
);

export function call(manners: Manners): fc.Arbitrary<CallSpec> {
  const does = manners === "calm" ? calmBehaviour : unrulyBehaviour;
  const ownId = fc.record({ tool: toolName, args, does });
  const sharedId = fc.record({ tool: toolName, args, does, id: fc.constant("twin") });
  return fc.oneof({ arbitrary: ownId, weight: 24 }, { arbitrary: sharedId, weight: 1 });
}

function tool(name: string, description: string): fc.Arbitrary<ToolSpec> {
  return fc
    .record(
      {
        name: fc.constant(name),
        description: fc.constant(description),
        mode,
        prepare: fc.constantFrom("same" as const, "rename" as const, "throws" as const),
      },
      { requiredKeys: ["name", "description"] },
    )
    .map((spec) => spec);
}

/** Two of the four bear one name: assigning the other one is a redefinition. */
export const palette = fc.oneof(
  {
    arbitrary: fc.constant<ToolSpec[]>(
      ["read", "write", "search"]
        .map((name) => ({ name, description: name }))
        .concat({ name: "read", description: "newer" }),
    ),
    weight: 2,
  },
  {
    arbitrary: fc
      .tuple(tool("read", "read"), tool("write", "write"), tool("search", "search"), tool("read", "newer"))
      .map((tools): ToolSpec[] => tools),
    weight: 1,
  },
);
