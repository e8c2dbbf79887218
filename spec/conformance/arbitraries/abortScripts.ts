import fc from "fast-check";
import type { Behaviour, BlockSpec, EndSpec, HookSpecs, ResponseSpec, Script, ToolOutcome } from "../script";
import { exactScript } from "./scripts";

const soon = fc.integer({ min: 1, max: 100 });

/**
 * Everything listens to its signal, and ends of itself within the grace. No tool gives nothing: after an abort that is
 * an aborted call with us, and a TypeError with pi. No provider throws: after an abort that ends the message as aborted
 * with us, and adds a failure with the provider's text with pi. No message is live: after an abort we read on while listeners take their
 * time, so that the provider's own end comes within the grace, and how far a message has grown by then may differ.
 */
function obedient(script: Script, onAbort: number): Script {
  const something = (outcome: ToolOutcome): ToolOutcome =>
    outcome === "nothing" ? { returns: { content: ["something"] } } : outcome;
  const behaviour = (does: Behaviour): Behaviour => ({ ...does, onAbort, outcome: something(does.outcome) });
  const block = (spec: BlockSpec): BlockSpec =>
    "call" in spec ? { call: { ...spec.call, does: behaviour(spec.call.does) } } : spec;
  const end = (spec: EndSpec): EndSpec =>
    typeof spec === "object" && "breaks" in spec ? { done: "stop" } : spec;
  const from = (spec: ResponseSpec["from"]) => (spec === "throws" || spec === "rejects" ? "promise" : spec);
  const responses = script.responses.map((response): ResponseSpec => ({
    ...response,
    from: from(response.from),
    live: false,
    onAbort,
    blocks: response.blocks.map(block),
    end: end(response.end),
  }));
  return { ...script, responses };
}

/** `finishTurn` without its throws: what it throws after an abort is ignored, where pi adds a second, failed message. */
function lenient({ finishTurn, ...hooks }: HookSpecs): HookSpecs {
  if (!finishTurn) return hooks;
  return {
    ...hooks,
    finishTurn: { ...finishTurn, acts: finishTurn.acts.map((act) => (act === "throw" ? null : act)) },
  };
}

/** One prompt, aborted at some time, with a provider and tools that obey. */
export const abortedScript: fc.Arbitrary<Script> = fc
  .tuple(exactScript, soon, fc.integer({ min: 1, max: 900 }))
  .map(([script, onAbort, at]) => ({
    ...obedient(script, onAbort),
    // Slow listeners may hold a response back for longer than a short grace.
    agent: { ...script.agent, abortGraceMs: 1_000_000 },
    hooks: lenient(script.hooks),
    listeners: script.listeners.map(({ delays }) => ({ delays, reactions: [] })),
    actions: [{ at, action: { do: "abort" as const } }],
    steps: script.steps.filter((step) => step.step === "prompt").slice(0, 1),
  }));
