import fc from "fast-check";
import type { Behaviour, BlockSpec, ListenerSpec, Script } from "../script";
import { ms } from "./basics";
import { exactScript } from "./scripts";

/** An update near the end of its tool would be late or in time by the start of the tool, which slow listeners move. */
function early({ updates, ...does }: Behaviour): Behaviour {
  const { settles } = does;
  const end = typeof settles === "number" ? settles - 64 : 0;
  return { ...does, updates: updates.filter((at) => at === 0 || at <= end) };
}

function steady(block: BlockSpec): BlockSpec {
  return "call" in block ? { call: { ...block.call, does: early(block.call.does) } } : block;
}

/**
 * Listeners that take their time over the events of concurrent tools. Nothing else may depend on the time or on the order
 * in which calls end: no user acts meanwhile, no hook sees the calls, no two calls share an id.
 */
export const overlappingScript: fc.Arbitrary<Script> = fc
  .tuple(exactScript, fc.array(fc.tuple(ms, ms), { minLength: 1, maxLength: 2 }))
  .map(([script, slow]) => ({
    ...script,
    agent: { ...script.agent, toolExecution: "parallel" as const },
    hooks: Object.fromEntries(Object.entries(script.hooks).filter(([name]) => !name.endsWith("ToolCall"))),
    responses: script.responses.map((response) => ({ ...response, blocks: response.blocks.map(steady) })),
    listeners: slow.map(([update, end]): ListenerSpec => ({
      delays: { tool_execution_update: update, tool_execution_end: end },
      reactions: [],
    })),
    actions: [],
    steps: script.steps.filter((step) => step.step === "prompt").map((step) => ({ ...step, sameTick: [] })),
  }))
  .filter((script) => !JSON.stringify(script.responses).includes('"twin"'));
