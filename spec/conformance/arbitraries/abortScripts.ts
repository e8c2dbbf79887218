import fc from "fast-check";
import type {
  Behaviour,
  BlockSpec,
  HookSpecs,
  ListenerSpec,
  ResponseSpec,
  Script,
  ToolOutcome,
} from "../script";
import { callsAtOnce, exactScript } from "./scripts";

const soon = fc.integer({ min: 1, max: 100 });

/**
 * Everything listens to its signal, and ends of itself within the grace. No tool gives nothing: after an abort that is
 * an aborted call with us, and a TypeError with pi. No message is live: after an abort we read on while listeners take their
 * time, so that the provider's own end comes within the grace, and how far a message has grown by then may differ.
 */
function obedient(script: Script, onAbort: number): Script {
  const something = (outcome: ToolOutcome): ToolOutcome =>
    outcome === "nothing" ? { returns: { content: ["something"] } } : outcome;
  const behaviour = (does: Behaviour): Behaviour => ({ ...does, onAbort, outcome: something(does.outcome) });
  const block = (spec: BlockSpec): BlockSpec =>
    "call" in spec ? { call: { ...spec.call, does: behaviour(spec.call.does) } } : spec;
  const responses = script.responses.map((response): ResponseSpec => ({
    ...response,
    live: false,
    onAbort,
    blocks: response.blocks.map(block),
  }));
  return { ...script, responses };
}

const throwing = ({ from, end }: ResponseSpec): boolean =>
  from === "throws" || from === "rejects" || (typeof end === "object" && "breaks" in end);

/**
 * `finishTurn` without its throws: what it throws after an abort is ignored, where pi adds a second, failed message. And
 * none where a provider throws: after an abort that is an aborted turn with us, and a failure without a turn's end with pi.
 */
function lenient({ hooks: { finishTurn, ...hooks }, responses }: Script): HookSpecs {
  if (!finishTurn || responses.some(throwing)) return hooks;
  return {
    ...hooks,
    finishTurn: { ...finishTurn, acts: finishTurn.acts.map((act) => (act === "throw" ? null : act)) },
  };
}

/** The aborted calls of a batch end in one tick, where pi's listeners overlap (design section 6.1): one cannot. */
function silent(script: Script): ListenerSpec[] {
  const told = callsAtOnce(script) ? script.listeners.slice(0, 1) : script.listeners;
  return told.map(({ delays }) => ({ delays, reactions: [] }));
}

/** One prompt, aborted at some time, with a provider and tools that obey. */
export const abortedScript: fc.Arbitrary<Script> = fc
  .tuple(exactScript, soon, fc.integer({ min: 1, max: 900 }))
  .map(([script, onAbort, at]) => ({
    ...obedient(script, onAbort),
    // Slow listeners may hold a response back for longer than a short grace.
    agent: { ...script.agent, abortGraceMs: 1_000_000 },
    hooks: lenient(script),
    listeners: silent(script),
    actions: [{ at, action: { do: "abort" as const } }],
    steps: script.steps.filter((step) => step.step === "prompt").slice(0, 1),
  }));
