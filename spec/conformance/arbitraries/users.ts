import fc from "fast-check";
import type {
  Action,
  EventType,
  HookSpecs,
  ListenerSpec,
  ObserverSpec,
  PromptInput,
  Reaction,
  Step,
} from "../script";
import {
  anyMessage,
  delay,
  level,
  type Manners,
  mode,
  modelIndex,
  ms,
  queueMode,
  sentMessage,
  toolList,
  word,
} from "./basics";

const queueing: fc.Arbitrary<Action> = fc.record(
  {
    do: fc.constantFrom("steer" as const, "followUp" as const),
    message: sentMessage,
    twice: fc.constant(true as const),
  },
  { requiredKeys: ["do", "message"] },
);
const clearing: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom("clearSteering" as const, "clearFollowUp" as const, "clearAll" as const),
});
const asking: fc.Arbitrary<Action> = fc.record({
  do: fc.constantFrom("peek" as const, "prompt" as const, "continue" as const, "reset" as const),
});
const waiting: fc.Arbitrary<Action> = fc.record({ do: fc.constant("idle" as const) });

const assigning: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constantFrom("steeringMode" as const, "followUpMode" as const), mode: queueMode }),
  fc.record({ do: fc.constant("tools" as const), tools: toolList }),
  fc.record({ do: fc.constant("model" as const), model: modelIndex }),
  fc.record({ do: fc.constant("level" as const), level }),
  fc.record({
    do: fc.constant("messages" as const),
    keep: fc.nat({ max: 5 }),
    add: fc.array(anyMessage, { maxLength: 2 }),
  }),
  fc.record({ do: fc.constant("push" as const), message: anyMessage }),
  fc.record({ do: fc.constant("sessionId" as const), value: word }),
  fc.record({
    do: fc.constant("dropHook" as const),
    hook: fc.constantFrom<keyof HookSpecs>(
      "beforeToolCall",
      "afterToolCall",
      "finishTurn",
      "prepareNextTurn",
      "getApiKey",
    ),
  }),
  fc.record({ do: fc.constant("toolExecution" as const), mode }),
);
const listening: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant("subscribe" as const) }),
  fc.record({ do: fc.constant("unsubscribe" as const), listener: fc.nat({ max: 2 }) }),
);

const aborting: fc.Arbitrary<Action> = fc.record({ do: fc.constant("abort" as const) });

/**
 * What may follow `prompt()` in the same tick. Listeners that come or go there are left out: pi waits a microtask for
 * each listener and is still telling `agent_start` then, our gate is done with it (design rule 6).
 */
const inTheSameTick = (manners: Manners) =>
  fc.oneof(
    { arbitrary: aborting, weight: manners === "calm" ? 0 : 5 },
    { arbitrary: queueing, weight: 6 },
    { arbitrary: clearing, weight: 1 },
    { arbitrary: asking, weight: 2 },
    { arbitrary: assigning, weight: 3 },
  );

/** What may be done inside a listener, where waiting for idleness would be a deadlock. */
const reacting = (manners: Manners) =>
  fc.oneof({ arbitrary: inTheSameTick(manners), weight: 12 }, { arbitrary: listening, weight: 1 });

const action = (manners: Manners) =>
  fc.oneof({ arbitrary: reacting(manners), weight: 12 }, { arbitrary: waiting, weight: 1 });

const frequent = fc.constantFrom<EventType>(
  "message_start",
  "message_update",
  "message_end",
  "turn_start",
  "turn_end",
);
const rare = fc.constantFrom<EventType>(
  "agent_start",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "agent_end",
);
export const eventType = fc.oneof(frequent, rare);

const reaction = (manners: Manners): fc.Arbitrary<Reaction> =>
  fc.record({ on: eventType, nth: fc.nat({ max: 3 }), action: reacting(manners) });

export const delays: fc.Arbitrary<ListenerSpec["delays"]> = fc.oneof(
  fc.constant({}),
  fc
    .uniqueArray(fc.tuple(eventType, delay), { maxLength: 3, selector: ([type]) => type })
    .map((pairs) => Object.fromEntries(pairs) as ListenerSpec["delays"]),
);

type Failure = NonNullable<ListenerSpec["fails"]>[number];

const failure: fc.Arbitrary<Failure> = fc.record({
  on: eventType,
  nth: fc.nat({ max: 3 }),
  how: fc.constantFrom("throws" as const, "rejects" as const),
});

export function listener(manners: Manners): fc.Arbitrary<ListenerSpec> {
  const calm = { delays, reactions: fc.array(reaction(manners), { maxLength: 2 }) };
  if (manners === "calm") return fc.record(calm);
  return fc.record({
    ...calm,
    fails: fc.oneof(fc.constant<Failure[]>([]), fc.array(failure, { maxLength: 2 })),
  });
}

export const observer: fc.Arbitrary<ObserverSpec> = fc.record(
  {
    of: fc.constantFrom("events" as const, "state" as const),
    // A push into the transcript is told to nobody, and would show in the first snapshot of who subscribes next.
    reactions: fc.array(
      reaction("unruly").filter(({ action }) => action.do !== "push"),
      { maxLength: 2 },
    ),
    throwsOn: fc.nat({ max: 9 }),
  },
  { requiredKeys: ["of", "reactions"] },
);

export const timedActions = (manners: Manners) =>
  fc.array(fc.record({ at: fc.integer({ min: 1, max: 2500 }), action: action(manners) }), { maxLength: 4 });

const input: fc.Arbitrary<PromptInput> = fc.oneof(
  fc.record({ text: word, images: fc.nat({ max: 2 }) }, { requiredKeys: ["text"] }),
  fc.record({ message: sentMessage }),
  fc.record({ batch: fc.array(sentMessage, { maxLength: 3 }) }),
);

const sameTick = (manners: Manners) =>
  fc.oneof(
    { arbitrary: fc.constant<Action[]>([]), weight: 3 },
    { arbitrary: fc.array(inTheSameTick(manners), { maxLength: 2 }), weight: 1 },
  );

const watched = fc.oneof(
  { arbitrary: fc.constant(undefined), weight: 3 },
  { arbitrary: fc.constant("to its end" as const), weight: 1 },
  { arbitrary: ms, weight: 1 },
);

/** A step that begins a run; unruly ones may watch it as an observable. */
function running(step: fc.Arbitrary<Step>, manners: Manners): fc.Arbitrary<Step> {
  if (manners === "calm") return step;
  return fc
    .tuple(step, watched)
    .map(([spec, how]) => (how === undefined ? spec : ({ ...spec, watched: how } as Step)));
}

const prompt = (manners: Manners): fc.Arbitrary<Step> =>
  running(fc.record({ step: fc.constant("prompt" as const), input, sameTick: sameTick(manners) }), manners);

const continuation = (manners: Manners): fc.Arbitrary<Step> =>
  running(fc.record({ step: fc.constant("continue" as const), sameTick: sameTick(manners) }), manners);

const step = (manners: Manners): fc.Arbitrary<Step> =>
  fc.oneof(
    { arbitrary: prompt(manners), weight: 4 },
    { arbitrary: continuation(manners), weight: 3 },
    { arbitrary: fc.record({ step: fc.constant("act" as const), action: action(manners) }), weight: 3 },
    { arbitrary: fc.record({ step: fc.constant("wait" as const), ms }), weight: 1 },
  );

export const steps = (manners: Manners): fc.Arbitrary<Step[]> =>
  fc
    .tuple(
      fc.array(step(manners), { maxLength: 1 }),
      prompt(manners),
      fc.array(step(manners), { maxLength: 4 }),
    )
    .map(([before, first, more]) => [...before, first, ...more]);
