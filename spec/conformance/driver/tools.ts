import { setMaxListeners } from "node:events";
import type { AgentTool, AgentToolResult, AgentToolUpdateCallback } from "@earendil-works/pi-agent-core";
import { alwaysSequential } from "../alwaysSequential";
import type { Behaviour, Delay, ResultSpec, ToolOutcome } from "../script";
import { snapshot } from "./snapshot";
import { usage } from "./messages";
import { lanes, wait } from "./virtualTime";
import type { ScriptedCall, World } from "./world";

const parameters = {
  type: "object",
  properties: { path: { type: "string" }, count: { type: "number" } },
  required: ["path"],
};

function toolResult(spec: ResultSpec): AgentToolResult<unknown> {
  return {
    ...(spec.content === "missing" ? {} : { content: spec.content.map((text) => ({ type: "text", text })) }),
    details: spec.details,
    ...(spec.structured === undefined ? {} : { structuredContent: spec.structured }),
    ...(spec.usage === undefined ? {} : { usage: usage(spec.usage) }),
    ...(spec.isError === undefined ? {} : { isError: spec.isError }),
    ...(spec.terminate === undefined ? {} : { terminate: spec.terminate }),
  } as AgentToolResult<unknown>;
}

function finish(id: string, outcome: ToolOutcome): AgentToolResult<unknown> {
  if (outcome === "nothing") return undefined as unknown as AgentToolResult<unknown>;
  if (outcome === "never") throw new Error("unreachable");
  if ("returns" in outcome) return toolResult(outcome.returns);
  if (outcome.throws === "error") throw new Error(`tool fails in ${id}`);
  throw outcome.throws === "string" ? `tool throws in ${id}` : undefined;
}

/** In a batch of several, tools that answer at once would race by microtasks: there they take a millisecond. */
function settlingOf(world: World, call: ScriptedCall): Delay {
  const { settles } = call.spec.does;
  if (typeof settles === "number" || !world.exact || call.batch === 1) return settles;
  return alwaysSequential(world.script) ? settles : 1;
}

function abortion(does: Behaviour, signal: AbortSignal | undefined, lane: number): Promise<never> {
  return new Promise((_, reject) => {
    const { onAbort } = does;
    if (typeof onAbort !== "number" || !signal) return;
    const fail = () => reject(new Error("tool saw the abort"));
    setMaxListeners(0, signal);
    signal.addEventListener("abort", () => (onAbort === 0 ? fail() : void wait(onAbort, lane).then(fail)));
  });
}

interface Execution {
  world: World;
  id: string;
  call: ScriptedCall;
  signal: AbortSignal | undefined;
  settled: () => void;
}

function settle({ world, id, call, signal, settled }: Execution): unknown {
  const { does } = call.spec;
  const delay = settlingOf(world, call);
  const lane = lanes.call(call.index);
  if (does.outcome === "never") return abortion(does, signal, lane).finally(settled);
  const end = () => {
    settled();
    return finish(id, does.outcome);
  };
  if (delay === "sync") return end();
  if (delay === "promise") return Promise.resolve().then(end);
  return Promise.race([wait(delay, lane).then(end), abortion(does, signal, lane)]).finally(settled);
}

function scheduleUpdates(
  id: string,
  call: ScriptedCall,
  onUpdate: AgentToolUpdateCallback | undefined,
): void {
  call.spec.does.updates.forEach((at, n) => {
    const update = () => onUpdate?.({ content: [{ type: "text", text: `${id} update ${n}` }], details: n });
    if (at === 0) update();
    else void wait(at, lanes.call(call.index)).then(update);
  });
}

export function buildTool(world: World, index: number): AgentTool {
  const spec = world.script.palette[index % world.script.palette.length];
  if (!spec) throw new Error("a script needs a palette");
  const prepare = {
    same: (args: unknown) => args as object,
    rename: (args: unknown) => {
      const { file, ...rest } = args as Record<string, unknown>;
      return file === undefined ? (args as object) : { ...rest, path: file };
    },
    throws: () => {
      throw new Error(`${spec.name} cannot prepare`);
    },
  };
  return {
    name: spec.name,
    label: spec.name,
    description: spec.description,
    parameters,
    ...(spec.mode ? { executionMode: spec.mode } : {}),
    ...(spec.prepare ? { prepareArguments: prepare[spec.prepare] } : {}),
    execute: (id, params, signal, onUpdate) => {
      const seen = { call: id, args: snapshot(params), aborted: signal?.aborted ?? null };
      world.record({ kind: "tool", phase: "starts", ...seen });
      const call = world.takeCall(id);
      if (!call) throw new Error(`no script for call ${id}`);
      scheduleUpdates(id, call, onUpdate);
      let over = false;
      const settled = () => {
        if (!over)
          world.record({ kind: "tool", phase: "settles", ...seen, aborted: signal?.aborted ?? null });
        over = true;
      };
      return settle({ world, id, call, signal, settled }) as Promise<AgentToolResult<unknown>>;
    },
  };
}
