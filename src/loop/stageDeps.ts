import { mergeClientIdentity } from "@earendil-works/pi-ai";
import { HOOKS } from "../internal/HOOKS";
import { pick } from "../internal/pick";
import type { AgentContext } from "../types/context";
import { DEFAULT_AGENT_IDENTITY } from "./DEFAULT_AGENT_IDENTITY";
import type { LoopRun, StageDeps } from "./loopRun";

/**
 * What the stages of a run take, by its configuration as it is now.
 *
 * @remarks Kept until {@link updateRun} changes it: merging the configuration of a run anew in each turn took half of the turn.
 */
export function stageDeps(run: LoopRun): StageDeps {
  if (run.deps) return run.deps;
  const { config, control } = run;
  const deps = pick(config as StageDeps, HOOKS as readonly (keyof StageDeps)[]) as StageDeps;
  const { signal } = control;
  const identity = mergeClientIdentity(DEFAULT_AGENT_IDENTITY, config.identity);
  deps.streamFn = run.streamFn;
  deps.gate = run.gate;
  deps.control = control;
  deps.context = run.context as AgentContext;
  deps.model = config.model;
  deps.thinkingLevel = config.reasoning ?? "off";
  deps.toolExecution = config.toolExecution;
  deps.toolConcurrency = config.toolConcurrency;
  deps.operators = config.operators;
  deps.onDecision = (decision) => (run.decision = decision);
  deps.onTaken = (taken) => (run.taken = taken);
  deps.options = { ...config, apiKey: config.apiKey, identity, signal };
  return (run.deps = deps);
}
