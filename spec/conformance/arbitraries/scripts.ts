import fc from "fast-check";
import { alwaysSequential } from "../alwaysSequential";
import { actsInSameTick, breaks } from "../differences";
import type { ListenerSpec, LoopScript, MessageSpec, Reaction, Script } from "../script";
import { anyMessage, level, mode, modelIndex, queueMode, sentMessage, toolList, word } from "./basics";
import { hooks } from "./hooks";
import { response } from "./responses";
import { call, palette } from "./tools";
import { listener, observer, steps, timedActions } from "./users";

const agent: fc.Arbitrary<Script["agent"]> = fc.record(
  {
    toolExecution: mode,
    steeringMode: queueMode,
    followUpMode: queueMode,
    sessionId: word,
    identity: fc.option(fc.constant("app")),
    thinkingBudgets: fc.integer({ min: 1, max: 9 }),
    transport: fc.constantFrom("sse" as const, "websocket" as const),
    maxRetryDelayMs: fc.integer({ min: 0, max: 99 }),
    callbacks: fc.constant(true as const),
  },
  { requiredKeys: [] },
);

const initialTools = fc.oneof(
  { arbitrary: fc.constant<number[]>([0, 1]), weight: 2 },
  { arbitrary: toolList, weight: 1 },
);

const initial: fc.Arbitrary<Script["initial"]> = fc.record(
  {
    systemPrompt: word,
    tools: initialTools,
    messages: fc.oneof(fc.constant<MessageSpec[]>([]), fc.array(anyMessage, { maxLength: 3 })),
    model: modelIndex,
    level,
  },
  { requiredKeys: ["tools", "messages", "model", "level"] },
);

const anyScript: fc.Arbitrary<Script> = fc.record({
  agent,
  initial,
  palette,
  responses: fc.array(response("calm"), { maxLength: 6 }),
  hooks: hooks("calm"),
  listeners: fc.array(listener("calm"), { minLength: 1, maxLength: 2 }),
  actions: timedActions("calm"),
  steps: steps("calm"),
});

/** Aborts, stalls and failures anywhere; the first listener is a silent witness. */
export const unrulyScript: fc.Arbitrary<Script> = fc
  .record({
    agent: fc
      .tuple(agent, fc.constantFrom(undefined, 0, 50, 500), fc.constantFrom(undefined, 1, 2))
      .map(([options, abortGraceMs, toolConcurrency]) => ({
        ...options,
        ...(abortGraceMs === undefined ? {} : { abortGraceMs }),
        ...(toolConcurrency === undefined ? {} : { toolConcurrency }),
      })),
    initial,
    palette,
    responses: fc.array(response("unruly"), { maxLength: 5 }),
    hooks: hooks("unruly"),
    listeners: fc.array(listener("unruly"), { maxLength: 2 }),
    observers: fc.array(observer, { maxLength: 2 }),
    actions: timedActions("unruly"),
    steps: steps("unruly"),
  })
  .map((script) => ({ ...script, listeners: [{ delays: {}, reactions: [] }, ...script.listeners] }));

/** Some batch has tools that run at once. */
export function callsAtOnce(script: Script): boolean {
  const calls = script.responses.map(({ blocks }) => blocks.filter((block) => "call" in block).length);
  return !alwaysSequential(script) && calls.some((n) => n > 1);
}

function updatesOverlap(script: Script): boolean {
  const blocks = script.responses.flatMap((response) => response.blocks);
  return blocks.some((block) => "call" in block && block.call.does.updates.length > 1);
}

/** Design section 6.1: in pi, listeners of concurrent tool events overlap. These scripts never let them. */
export function withoutOverlap(script: Script): Script {
  const atOnce = callsAtOnce(script);
  // Two updates in one tick overlap in pi as well, and whoever reacts to one of them changes what the other shows.
  const races = ({ on, action }: Reaction) =>
    on === "tool_execution_update" &&
    (atOnce || updatesOverlap(script) || action.do === "subscribe" || action.do === "unsubscribe");
  const listeners = script.listeners.map(({ delays, reactions, ...rest }): ListenerSpec => {
    const { tool_execution_update: update, tool_execution_end: end, ...others } = delays;
    return {
      ...rest,
      reactions: reactions.filter((reaction) => !races(reaction)),
      delays: {
        ...others,
        ...(end !== undefined && !atOnce ? { tool_execution_end: end } : {}),
        ...(update !== undefined && !atOnce && !updatesOverlap(script)
          ? { tool_execution_update: update }
          : {}),
      },
    };
  });
  return { ...script, listeners };
}

/** Where pi begins a second message (see `differences`), nothing may hang on the time or the number of such events. */
export function withoutSecondStarts(script: Script): Script {
  if (!breaks(script)) return script;
  const listeners = script.listeners.map(({ delays: { message_start: _, ...delays }, reactions }) => ({
    delays,
    reactions: reactions.filter(({ on }) => on !== "message_start"),
  }));
  return { ...script, listeners };
}

/** What later listeners do on `agent_start` would race with what the user does in the same tick (see `differences`). */
function withoutStartRaces(script: Script): Script {
  if (!actsInSameTick(script)) return script;
  const listeners = script.listeners.map(({ reactions, ...rest }, index) => ({
    ...rest,
    reactions: index === 0 ? reactions : reactions.filter(({ on }) => on !== "agent_start"),
  }));
  return { ...script, listeners };
}

export const exactScript = anyScript.map(withoutOverlap).map(withoutSecondStarts).map(withoutStartRaces);

const loop: fc.Arbitrary<LoopScript["loop"]> = fc.record({
  entry: fc.constantFrom("agentLoop", "agentLoopContinue", "runAgentLoop", "runAgentLoopContinue"),
  prompts: fc.array(sentMessage, { maxLength: 2 }),
  steering: fc.array(fc.array(sentMessage, { maxLength: 1 }), { maxLength: 3 }),
  followUps: fc.array(fc.array(sentMessage, { maxLength: 2 }), { maxLength: 2 }),
  withSignal: fc.boolean(),
  call: call("calm"),
});

/**
 * Bare listeners, since there is no state to react to. Streams wait for nobody: how far a live message has grown when its
 * event is read would hang on microtasks.
 */
export const loopScript: fc.Arbitrary<LoopScript> = fc.tuple(exactScript, loop).map(([script, fields]) => {
  const waits = fields.entry.startsWith("run");
  const listeners = script.listeners.map(({ delays }) => ({ delays: waits ? delays : {}, reactions: [] }));
  const responses = script.responses.map((response) => ({ ...response, live: response.live && waits }));
  return { ...script, listeners, responses, actions: [], steps: [], loop: fields };
});
