import type { ReactiveTurnUpdate } from "../types/hooks";
import type { LoopRun } from "./loopRun";

/** Takes over what a hook changed for the turns to come. */
export function updateRun(run: LoopRun, update: ReactiveTurnUpdate): void {
  const level = update.thinkingLevel;
  run.deps = undefined;
  run.context = update.context ?? run.context;
  run.config = {
    ...run.config,
    model: update.model ?? run.config.model,
    reasoning: level === undefined ? run.config.reasoning : level === "off" ? undefined : level,
  };
}
